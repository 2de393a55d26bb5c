//! Applications and their life cycle, by the API of 2009.

use ureq::http::Method;

use crate::{
    api::hws::{Application, ApplicationState, Applications},
    client::{Client, ClientError, List, exchange::segment},
};

impl Client {
    /// A page of applications; the filter is `name=N;status=S`.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with the status 400 if the filter is wrong, 503 if the server is deactivated.
    pub fn applications(&self, list: &List) -> Result<Applications, ClientError> {
        let (offset, len) = (list.offset.to_string(), list.len.to_string());
        let query = [
            ("filter", list.filter.as_str()),
            ("offset", &offset),
            ("len", &len),
        ];
        let url = self.at_root("/hws/v1/applications");
        self.json(&Method::GET, &url, &query, None)
    }

    fn of_application(&self, name: &str) -> String {
        self.at_root(&format!("/hws/v1/applications/{}", segment(name)))
    }

    /// An application with its document.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with the status 404 if there is none.
    pub fn application(&self, name: &str) -> Result<Application, ClientError> {
        self.json(&Method::GET, &self.of_application(name), &[], None)
    }

    fn change_application(
        &self,
        name: &str,
        action: &str,
    ) -> Result<ApplicationState, ClientError> {
        let url = self.of_application(name);
        self.json(&Method::PUT, &url, &[("action", action)], None)
    }

    /// Has a deployed application accept jobs.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with the status 409 if its state does not allow it.
    pub fn activate_application(&self, name: &str) -> Result<ApplicationState, ClientError> {
        self.change_application(name, "activate")
    }

    /// Has an application accept no new jobs.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with the status 409 if its state does not allow it.
    pub fn suspend_application(&self, name: &str) -> Result<ApplicationState, ClientError> {
        self.change_application(name, "suspend")
    }

    /// Makes a suspended application INACTIVE, once its jobs have ended.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with the status 409 if its state or its jobs do not allow it.
    pub fn deactivate_application(&self, name: &str) -> Result<ApplicationState, ClientError> {
        self.change_application(name, "deactivate")
    }

    /// Removes an application that is INACTIVE.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] with the status 409 if it is not.
    pub fn undeploy_application(&self, name: &str) -> Result<ApplicationState, ClientError> {
        self.json(&Method::DELETE, &self.of_application(name), &[], None)
    }
}
