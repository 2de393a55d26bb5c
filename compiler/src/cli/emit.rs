//! `hpdlc emit`: the crate of an application, and what it is deployed with.

use crate::{
    cli::{
        BuildOptions, DeployTarget, EXIT_FINE, EmitArguments, FilesChoice, build,
        output::CommandOutput,
        packaged::{Packaged, packaged},
    },
    codegen::deployment::DeploymentTarget,
    driver::emitted::{self, EmittedDeployment},
};

pub(super) fn run(arguments: EmitArguments, output: &mut CommandOutput) -> u8 {
    let input = match arguments.input.into_arguments() {
        Ok(input) => input,
        Err(failure) => return output.failure(&failure),
    };
    let packaged = match packaged(&arguments.path, &input, None, "nothing was written", output) {
        Ok(packaged) => packaged,
        Err(code) => return code,
    };
    let targets: Vec<DeploymentTarget> = arguments.deploy.iter().copied().map(target).collect();
    let mut deployment = None;
    if !targets.is_empty() {
        let options = BuildOptions {
            debug: false,
            full: false,
            glibc: arguments.glibc,
            files: FilesChoice::Embed,
        };
        match build::compiled(&arguments.path, &packaged, options, output) {
            Ok(built) => {
                deployment = Some(EmittedDeployment {
                    targets,
                    executable: built.path,
                });
            }
            Err(code) => return code,
        }
    }
    let Packaged {
        application,
        package,
        features,
        sources,
    } = packaged;
    match emitted::emit(
        &application,
        &package,
        &sources,
        features,
        deployment.as_ref(),
        &arguments.output,
    ) {
        Ok(name) => {
            let folder = arguments.output.display();
            let what = match deployment {
                Some(_) => {
                    format!("crate `{name}` in {folder}, and {folder}/deploy: see its README.md")
                }
                None => format!("crate `{name}` in {folder}"),
            };
            output.progress().say("Written", &what);
            EXIT_FINE
        }
        Err(failure) => output.failure(&failure),
    }
}

fn target(named: DeployTarget) -> DeploymentTarget {
    match named {
        DeployTarget::Docker => DeploymentTarget::Docker,
        DeployTarget::Systemd => DeploymentTarget::Systemd,
        DeployTarget::K8s => DeploymentTarget::Kubernetes,
    }
}
