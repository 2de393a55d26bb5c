package org.apache.oozie.action.hadoop;

import org.apache.hadoop.mapred.JobConf;

/** What a class that `config-class` names implements. */
public interface OozieActionConfigurator {
    void configure(JobConf conf) throws OozieActionConfiguratorException;
}
