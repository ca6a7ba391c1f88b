//! Names that must be unique within a list, checked at changed places.

use std::collections::BTreeSet;

use crate::anim::shared_list::SharedList;

/// The first name that is blank or used twice. Elements that the list shares with the one before, which has no such name, are only
/// compared with the new names.
pub fn bad_name<'a, T>(
    list: &'a SharedList<T>,
    before: &SharedList<T>,
    name: impl for<'e> Fn(&'e T) -> &'e str,
) -> Option<&'a str> {
    let old: BTreeSet<&str> = before.unshared(list).map(&name).collect();
    let mut changed = BTreeSet::new();
    for name in list.unshared(before).map(&name) {
        if name.trim().is_empty() || !changed.insert(name) {
            return Some(name);
        }
    }
    changed.retain(|name| !old.contains(name));
    // Most changes add one name, and to compare with it is faster than to look it up.
    let first = *changed.first()?;
    let is_only = changed.len() == 1;
    list.shared(before).map(name).find(|name| if is_only { *name == first } else { changed.contains(name) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_name_is_compared_with_all_others() {
        let before: SharedList<String> = (0..1000).map(|number| format!("name {number}")).collect();
        let bad = |change: &dyn Fn(&mut SharedList<String>)| {
            let mut list = before.clone();
            change(&mut list);
            let of = |before: &SharedList<String>| bad_name(&list, before, |name| name).map(str::to_owned);
            let bad = of(&before);
            assert_eq!(bad, of(&SharedList::default()), "as if everything were new");
            bad
        };
        assert_eq!(bad(&|_| ()), None);
        assert_eq!(bad(&|list| list.push("other".into())), None);
        assert_eq!(bad(&|list| list.push("name 3".into())).as_deref(), Some("name 3"));
        assert_eq!(bad(&|list| list[500] = "name 3".into()).as_deref(), Some("name 3"));
        assert_eq!(bad(&|list| list[500] = "name 501".into()).as_deref(), Some("name 501"), "in the same block");
        assert_eq!(bad(&|list| list[500] = " ".into()).as_deref(), Some(" "));
        assert_eq!(
            bad(&|list| {
                let moved = list.remove(3);
                list.push(moved);
            }),
            None
        );
    }
}
