//! What a coordinator asks its data and its action: methods of the function's arguments, which become functions of `coord:`.

use syn::{Expr, ExprMethodCall};

use crate::rust::{
    document::quoted,
    place::Place,
    reader::{Kind, Reader},
    scope::{Binding, Event},
    tokens::ident_of,
    value::{Code, Type, Value},
};

/// A method, the function that it becomes, and the number of its arguments.
type Method = (&'static str, &'static str, usize);

/// Of a dataset's instances. The first argument of each function is the name of the event.
const OF_INPUT: &[Method] = &[
    ("uris", "dataIn", 0),
    ("uri", "dataIn", 0),
    ("database", "databaseIn", 0),
    ("table", "tableIn", 0),
    ("partition_filter", "dataInPartitionFilter", 1),
    ("partition_min", "dataInPartitionMin", 1),
    ("partition_max", "dataInPartitionMax", 1),
    ("partitions_for", "dataInPartitions", 1),
];
const OF_OUTPUT: &[Method] = &[
    ("uri", "dataOut", 0),
    ("database", "databaseOut", 0),
    ("table", "tableOut", 0),
    ("partitions", "dataOutPartitions", 0),
    ("partition_value", "dataOutPartitionValue", 1),
];
const OF_ACTION: &[Method] = &[
    ("id", "actionId", 0),
    ("coordinator", "name", 0),
    ("user", "user", 0),
    ("nominal_time", "nominalTime", 0),
    ("actual_time", "actualTime", 0),
];
/// Of a point of time, which is the first argument of each function.
const OF_TIME: &[Method] = &[
    ("format", "formatTime", 1),
    ("offset", "dateOffset", 2),
    ("in_zone", "dateTzOffset", 1),
    ("epoch_seconds", "epochTime", 0),
    ("epoch_millis", "epochTime", 0),
];

fn find(methods: &'static [Method], call: &ExprMethodCall) -> Option<&'static Method> {
    let is_called =
        |(name, _, n_arguments): &&Method| call.method == *name && call.args.len() == *n_arguments;
    methods.iter().find(is_called)
}

impl Reader {
    /// The value of a method of a coordinator's arguments; `None` for any other.
    pub(super) fn fact(&mut self, call: &ExprMethodCall) -> Option<Option<Value>> {
        if self.kind != Kind::Coordinator {
            return None;
        }
        let known = ident_of(&call.receiver).and_then(|name| self.known(name));
        match known {
            Some(Binding::Event(event)) => Some(self.fact_of_event(call, &event)),
            Some(Binding::Action) => Some(match find(OF_ACTION, call) {
                Some((_, function, _)) => Some(written(call, function, Vec::new())),
                // rustc knows that there is no such method.
                None => self.left_to_rustc(),
            }),
            _ => {
                let (name, function, _) = find(OF_TIME, call)?;
                Some(self.fact_of_time(call, name, function))
            }
        }
    }

    fn fact_of_event(&mut self, call: &ExprMethodCall, event: &Event) -> Option<Value> {
        let (own, other) = match event.is_input {
            true => (OF_INPUT, OF_OUTPUT),
            false => (OF_OUTPUT, OF_INPUT),
        };
        let Some((_, function, _)) = find(own, call) else {
            if find(other, call).is_none() {
                return self.left_to_rustc();
            }
            let what = if event.is_input {
                "an input"
            } else {
                "an output"
            };
            let names: Vec<String> = own.iter().map(|(name, _, _)| format!("`{name}`")).collect();
            self.mistake(
                Place::at(call.method.span()),
                &format!("{what} has the methods {}", names.join(", ")),
            );
            return None;
        };
        let mut arguments: Vec<Code> =
            vec![vec![(quoted(&event.name), Some(Place::of(&call.receiver)))]];
        for argument in &call.args {
            arguments.push(self.operand(argument)?);
        }
        Some(written(call, function, arguments))
    }

    fn fact_of_time(&mut self, call: &ExprMethodCall, name: &str, function: &str) -> Option<Value> {
        let receiver: &Expr = &call.receiver;
        let mut arguments = vec![self.operand(receiver)?];
        for argument in &call.args {
            arguments.push(self.operand(argument)?);
        }
        match name {
            "epoch_seconds" => arguments.push(vec![("'false'".to_owned(), None)]),
            "epoch_millis" => arguments.push(vec![("'true'".to_owned(), None)]),
            _ => {}
        }
        Some(written(call, function, arguments))
    }
}

/// The call of a function of `coord:`.
fn written(call: &ExprMethodCall, function: &str, arguments: Vec<Code>) -> Value {
    let place = Place::at(call.method.span());
    let mut code: Code = vec![(format!("coord:{function}("), Some(place))];
    for (n, argument) in arguments.into_iter().enumerate() {
        if n > 0 {
            code.push((", ".to_owned(), None));
        }
        code.extend(argument);
    }
    code.push((")".to_owned(), None));
    Value::Expression(code, Type::Text)
}
