//! Class files of Java, as far as straight code needs them. They have the version of Java 5, the last one whose classes are
//! checked without stack maps; every later Java runs them.

use std::collections::BTreeMap;

const MAGIC: u32 = 0xCAFE_BABE;
const VERSION: u16 = 49;

pub const PUBLIC: u16 = 0x0001;
pub const STATIC: u16 = 0x0008;
/// Calls of the upper class's methods mean that class's; every class has it since long.
pub const SUPER: u16 = 0x0020;
pub const INTERFACE: u16 = 0x0200;
pub const ABSTRACT: u16 = 0x0400;

pub const OBJECT: &str = "java/lang/Object";

/// A class in the making. Names of classes have slashes, and descriptors are Java's: `(Ljava/lang/String;)V`.
pub struct Class {
    access: u16,
    name: u16,
    upper: u16,
    constants: Constants,
    methods: Vec<u8>,
    n_methods: u16,
}

impl Class {
    pub fn new(access: u16, name: &str, upper: &str) -> Class {
        let mut constants = Constants::default();
        Class {
            access,
            name: constants.class(name),
            upper: constants.class(upper),
            constants,
            methods: Vec::new(),
            n_methods: 0,
        }
    }

    /// A method without code.
    pub fn declare(&mut self, access: u16, name: &str, descriptor: &str) {
        self.head(access, name, descriptor);
        push(&mut self.methods, 0);
    }

    /// A method that works on so many values at once, and has so many variables: its arguments first.
    pub fn method(
        &mut self,
        access: u16,
        (name, descriptor): (&str, &str),
        (n_stack, n_variables): (u16, u16),
        code: &[Step<'_>],
    ) {
        let mut bytes = Vec::new();
        for step in code {
            step.write(&mut self.constants, &mut bytes);
        }
        let attribute = self.constants.text("Code");
        self.head(access, name, descriptor);
        push(&mut self.methods, 1);
        push(&mut self.methods, attribute);
        let n_bytes = length(bytes.len());
        // The numbers around the code take twelve bytes.
        self.methods.extend((n_bytes + 12).to_be_bytes());
        push(&mut self.methods, n_stack);
        push(&mut self.methods, n_variables);
        self.methods.extend(n_bytes.to_be_bytes());
        self.methods.extend(bytes);
        // Neither handlers of exceptions nor attributes.
        push(&mut self.methods, 0);
        push(&mut self.methods, 0);
    }

    fn head(&mut self, access: u16, name: &str, descriptor: &str) {
        let name = self.constants.text(name);
        let descriptor = self.constants.text(descriptor);
        for number in [access, name, descriptor] {
            push(&mut self.methods, number);
        }
        self.n_methods += 1;
    }

    /// The class as a file has it.
    pub fn bytes(self) -> Vec<u8> {
        let mut bytes = MAGIC.to_be_bytes().to_vec();
        push(&mut bytes, 0);
        push(&mut bytes, VERSION);
        push(&mut bytes, self.constants.n + 1);
        bytes.extend(self.constants.bytes);
        for number in [self.access, self.name, self.upper] {
            push(&mut bytes, number);
        }
        // Neither interfaces nor fields.
        push(&mut bytes, 0);
        push(&mut bytes, 0);
        push(&mut bytes, self.n_methods);
        bytes.extend(self.methods);
        // No attributes.
        push(&mut bytes, 0);
        bytes
    }
}

/// An instruction.
#[derive(Clone, Copy)]
pub enum Step<'a> {
    /// A variable's object.
    Load(u8),
    Store(u8),
    /// An element of the array of texts in the first variable.
    Argument(u8),
    New(&'a str),
    Duplicate,
    Cast(&'a str),
    /// A constructor, or a method of the upper class: class, name, descriptor.
    Special(&'a str, &'a str, &'a str),
    Virtual(&'a str, &'a str, &'a str),
    Static(&'a str, &'a str, &'a str),
    /// A method with one argument.
    OfInterface(&'a str, &'a str, &'a str),
    Return,
}

impl Step<'_> {
    fn write(self, constants: &mut Constants, code: &mut Vec<u8>) {
        let mut with = |instruction: u8, constant: u16| {
            code.push(instruction);
            push(code, constant);
        };
        match self {
            Step::Load(variable) => code.extend([0x19, variable]),
            Step::Store(variable) => code.extend([0x3a, variable]),
            // aload 0, bipush, aaload
            Step::Argument(at) => code.extend([0x19, 0, 0x10, at, 0x32]),
            Step::New(class) => with(0xbb, constants.class(class)),
            Step::Duplicate => code.push(0x59),
            Step::Cast(class) => with(0xc0, constants.class(class)),
            Step::Special(class, name, descriptor) => {
                with(0xb7, constants.method(METHOD, class, name, descriptor));
            }
            Step::Virtual(class, name, descriptor) => {
                with(0xb6, constants.method(METHOD, class, name, descriptor));
            }
            Step::Static(class, name, descriptor) => {
                with(0xb8, constants.method(METHOD, class, name, descriptor));
            }
            Step::OfInterface(class, name, descriptor) => {
                with(
                    0xb9,
                    constants.method(INTERFACE_METHOD, class, name, descriptor),
                );
                // The object and its argument.
                code.extend([2, 0]);
            }
            Step::Return => code.push(0xb1),
        }
    }
}

const TEXT: u8 = 1;
const CLASS: u8 = 7;
const METHOD: u8 = 10;
const INTERFACE_METHOD: u8 = 11;
const NAME_AND_TYPE: u8 = 12;

/// What a class refers to, each by its number from 1.
#[derive(Default)]
struct Constants {
    bytes: Vec<u8>,
    n: u16,
    known: BTreeMap<Vec<u8>, u16>,
}

impl Constants {
    fn add(&mut self, constant: Vec<u8>) -> u16 {
        if let Some(known) = self.known.get(&constant) {
            return *known;
        }
        self.n += 1;
        self.bytes.extend(&constant);
        self.known.insert(constant, self.n);
        self.n
    }

    /// Names are ASCII here, which Java writes as everybody does.
    fn text(&mut self, text: &str) -> u16 {
        let mut constant = vec![TEXT];
        push(&mut constant, u16::try_from(text.len()).unwrap_or(u16::MAX));
        constant.extend(text.bytes());
        self.add(constant)
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.text(name);
        self.of_numbers(CLASS, &[name])
    }

    fn method(&mut self, kind: u8, class: &str, name: &str, descriptor: &str) -> u16 {
        let class = self.class(class);
        let (name, descriptor) = (self.text(name), self.text(descriptor));
        let name_and_type = self.of_numbers(NAME_AND_TYPE, &[name, descriptor]);
        self.of_numbers(kind, &[class, name_and_type])
    }

    fn of_numbers(&mut self, kind: u8, numbers: &[u16]) -> u16 {
        let mut constant = vec![kind];
        for number in numbers {
            push(&mut constant, *number);
        }
        self.add(constant)
    }
}

fn push(bytes: &mut Vec<u8>, number: u16) {
    bytes.extend(number.to_be_bytes());
}

fn length(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Byte for byte what the specification of the Java virtual machine (chapter 4) makes of a class with one method.
    #[test]
    fn a_class_is_what_the_specification_says() {
        let mut class = Class::new(PUBLIC | SUPER, "A", OBJECT);
        class.method(
            PUBLIC,
            ("<init>", "()V"),
            (1, 1),
            &[
                Step::Load(0),
                Step::Special(OBJECT, "<init>", "()V"),
                Step::Return,
            ],
        );
        let mut expected = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 49, 0, 10];
        let text = |text: &str| {
            let mut bytes = vec![1, 0, u8::try_from(text.len()).unwrap()];
            bytes.extend(text.bytes());
            bytes
        };
        for constant in [
            text("A"),
            vec![7, 0, 1],
            text(OBJECT),
            vec![7, 0, 3],
            text("<init>"),
            text("()V"),
            vec![12, 0, 5, 0, 6],
            vec![10, 0, 4, 0, 7],
            text("Code"),
        ] {
            expected.extend(constant);
        }
        expected.extend([0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0, 0, 1]);
        // The method, its one attribute of 18 bytes, and its code.
        expected.extend([0, 1, 0, 5, 0, 6, 0, 1, 0, 9, 0, 0, 0, 18]);
        expected.extend([0, 1, 0, 1, 0, 0, 0, 6, 0x19, 0, 0xb7, 0, 8, 0xb1]);
        expected.extend([0, 0, 0, 0, 0, 0]);
        assert_eq!(class.bytes(), expected);
    }
}
