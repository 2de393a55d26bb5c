package hpdl;

import java.io.FileOutputStream;
import java.io.OutputStream;

import org.apache.hadoop.mapred.JobConf;
import org.apache.oozie.action.hadoop.OozieActionConfigurator;

/** Lets a class of the author complete the configuration of a job. */
public class Configure {
    /** Reads the file JOB, hands it to an instance of CLASS, and writes the result to the file CONFIGURED. */
    public static void main(String[] arguments) throws Exception {
        // Above it are Hadoop's own files and defaults.
        JobConf job = new JobConf(arguments[0]);
        ((OozieActionConfigurator) Class.forName(arguments[2]).newInstance()).configure(job);
        OutputStream configured = new FileOutputStream(arguments[1]);
        job.writeXml(configured);
        configured.close();
    }
}
