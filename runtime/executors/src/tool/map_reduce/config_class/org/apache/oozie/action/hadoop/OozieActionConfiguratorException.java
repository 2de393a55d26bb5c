package org.apache.oozie.action.hadoop;

/** A configuration that an {@link OozieActionConfigurator} refuses. */
public class OozieActionConfiguratorException extends Exception {
    public OozieActionConfiguratorException(String message) {
        super(message);
    }

    public OozieActionConfiguratorException(String message, Throwable cause) {
        super(message, cause);
    }

    public OozieActionConfiguratorException(Throwable cause) {
        super(cause);
    }
}
