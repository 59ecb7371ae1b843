//! Which child and which model a request is for: `MODEL@NAME` or `MODEL@NUMBER` in the model's name, or a header.

use crate::children::{Child, ChildId};
use crate::kernel::host::words::{caseless, trim};
use crate::models::Upstream;

/// The child of a request and the model's name without the child.
#[derive(Debug, PartialEq, Eq)]
pub struct Selection<'a> {
    /// `None` if the request doesn't say, and the key has several.
    pub child: Option<ChildId>,
    pub model: &'a str,
}

/// Chooses the child. A name after the last `@` counts only if it names a child of the key, because models can have an `@` of
/// their own. `header` is the value of `X-Porchlight-Child`; it must name a child of the key.
pub fn select_child<'a>(model: &'a str, header: Option<&str>, children: &[Child]) -> Selection<'a> {
    let (by_model, model) = match model.rsplit_once('@') {
        Some((rest, name)) => match find(name, children) {
            Some(child) => (Some(child), rest),
            None => (None, model),
        },
        None => (None, model),
    };
    let child = match (header, by_model, children) {
        (Some(header), _, _) => find(header, children),
        (None, Some(child), _) => Some(child),
        (None, None, [only]) => Some(only.child_id),
        (None, None, _) => None,
    };
    Selection { child, model }
}

/// The key's child with this number or name; `None` also if several have the name.
fn find(text: &str, children: &[Child]) -> Option<ChildId> {
    let text = trim(text);
    let numbered = |child: &&Child| child.child_id.number().to_string() == text;
    if let Some(child) = children.iter().find(numbered) {
        return Some(child.child_id);
    }
    let same = |child: &&Child| caseless(trim(&child.name)) == caseless(text);
    let mut named = children.iter().filter(same);
    match (named.next(), named.next()) {
        (Some(only), None) => Some(only.child_id),
        _ => None,
    }
}

/// The names under which a key's client chooses a model. For a key with one child they are the model's own.
pub fn names(model: &str, children: &[Child]) -> Vec<String> {
    let suffixes = child_suffixes(children).into_iter();
    suffixes.map(|suffix| format!("{model}{suffix}")).collect()
}

/// What chooses each of a key's children, in their order, appended to a model's name: such as `@Mia`. Nothing if there is one.
pub fn child_suffixes(children: &[Child]) -> Vec<String> {
    if let [_] = children {
        return vec![String::new()];
    }
    let suffixes = children.iter().map(|child| {
        let name = trim(&child.name);
        if !name.contains(['@', '/']) && find(name, children) == Some(child.child_id) {
            format!("@{name}")
        } else {
            format!("@{}", child.child_id.number())
        }
    });
    suffixes.collect()
}

/// Whether the administrator lets this model be used.
pub fn offers(upstream: &Upstream, model: &str) -> bool {
    upstream.models.is_empty() || upstream.models.iter().any(|offered| offered == model)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn children(names: &[(u64, &str)]) -> Vec<Child> {
        let children = names.iter().map(|(number, name)| Child {
            child_id: ChildId::new(*number),
            name: (*name).to_owned(),
        });
        children.collect()
    }

    #[test]
    fn a_child_is_named_in_the_model_or_in_the_header() {
        let both = children(&[(1, "Mia"), (2, "Leo")]);
        let only = children(&[(1, "Mia")]);
        for (model, header, of, child, rest) in [
            ("m", None, &only, Some(1), "m"),
            ("m@mia", None, &only, Some(1), "m"),
            ("m@Leo", None, &only, Some(1), "m@Leo"),
            ("m", None, &both, None, "m"),
            ("m@Leo", None, &both, Some(2), "m"),
            ("m@2", None, &both, Some(2), "m"),
            ("a@b@LEO", None, &both, Some(2), "a@b"),
            ("x@Anna", None, &both, None, "x@Anna"),
            ("m", Some("leo"), &both, Some(2), "m"),
            ("m@Mia", Some("2"), &both, Some(2), "m"),
            ("m@Mia", Some("Anna"), &both, None, "m"),
            ("m", Some("Anna"), &only, None, "m"),
        ] {
            let child = child.map(ChildId::new);
            let expected = Selection { child, model: rest };
            assert_eq!(
                select_child(model, header, of),
                expected,
                "{model} {header:?}"
            );
        }
    }

    #[test]
    fn a_name_that_several_children_have_names_none() {
        let twins = children(&[(1, "Mia"), (2, "mia"), (3, "2")]);

        assert_eq!(select_child("m@Mia", None, &twins).child, None);
        assert_eq!(
            select_child("m@1", None, &twins).child,
            Some(ChildId::new(1))
        );
        assert_eq!(
            select_child("m@2", None, &twins).child,
            Some(ChildId::new(2))
        );
    }

    #[test]
    fn every_listed_name_names_its_child() {
        let twins = children(&[(1, "Mia"), (2, "Mia"), (3, "a@b"), (4, "Leo"), (5, "1")]);

        let names = names("m", &twins);

        assert_eq!(names, ["m@1", "m@2", "m@3", "m@Leo", "m@5"]);
        assert_eq!(super::names("m", &twins[..1]), ["m"]);
    }
}
