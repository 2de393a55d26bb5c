use super::*;
use crate::{lower::schema::Vocabulary, rust::tests::of_crate_of_workflows};

#[test]
fn fields_are_the_elements_of_the_schema() {
    let (vocabulary, version) = Vocabulary::of_namespace(NAMESPACE).expect("it is known");
    let mut elements = Vec::new();
    for group in vocabulary.shape.groups() {
        for member in group.members() {
            if member.is_allowed(version) {
                let name = member.name().expect("a block has elements with names");
                elements.push((format!("sla:{name}"), group.required.contain(version)));
            }
        }
    }
    let fields = FIELDS.iter();
    let of_field = |field: &Field| (field.element.to_owned(), field.is_required);
    assert_eq!(fields.map(of_field).collect::<Vec<_>>(), elements);
}

#[test]
fn the_crate_of_workflows_has_the_same_fields() {
    let file = of_crate_of_workflows("sla.rs");
    let declared = file.items.iter().find_map(|item| match item {
        syn::Item::Struct(item) if item.ident == "Sla" => Some(&item.fields),
        _ => None,
    });
    let declared = declared.expect("it is a struct").iter().map(|field| {
        let name = field.ident.as_ref().map(ToString::to_string);
        let is_duration =
            matches!(&field.ty, syn::Type::Path(path) if path.path.is_ident("Duration"));
        (name.unwrap_or_default(), is_duration)
    });
    let fields = FIELDS.iter();
    let of_field = |field: &Field| (field.name.to_owned(), field.is_duration);
    assert_eq!(
        declared.collect::<Vec<_>>(),
        fields.map(of_field).collect::<Vec<_>>()
    );
}
