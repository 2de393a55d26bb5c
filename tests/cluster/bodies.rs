//! Bodies of actions that several tests run.

pub fn property(name: &str, value: &str) -> String {
    format!("<property><name>{name}</name><value>{value}</value></property>")
}

/// A job of Hadoop's own classes, using the old API, that counts the words of `in` below `folder`; with `more` properties.
pub fn word_count(more: &str) -> String {
    let lib = "org.apache.hadoop.mapred.lib";
    let configuration = [
        property("mapred.mapper.class", &format!("{lib}.TokenCountMapper")),
        property("mapred.reducer.class", &format!("{lib}.LongSumReducer")),
        property("mapred.output.key.class", "org.apache.hadoop.io.Text"),
        property(
            "mapred.output.value.class",
            "org.apache.hadoop.io.LongWritable",
        ),
        property("mapred.input.dir", "${folder}/in"),
        property("mapred.output.dir", "${folder}/out"),
        property("mapred.map.tasks", "1"),
    ]
    .concat();
    format!(
        "<map-reduce><prepare><delete path='${{nameNode}}${{folder}}/out'/></prepare>\
         <configuration>{configuration}{more}</configuration></map-reduce>"
    )
}

/// Hadoop asks for counters only then.
pub fn with_counters() -> String {
    property("oozie.action.external.stats.write", "true")
}
