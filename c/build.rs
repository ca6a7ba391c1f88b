//! With the feature `header`, checks that include/keypose.h is the header of the source, or writes it.

fn main() {
    #[cfg(feature = "header")]
    header();
}

#[cfg(feature = "header")]
fn header() {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=include");
    println!("cargo::rerun-if-env-changed=KEYPOSE_WRITE_HEADER");
    let config = cbindgen::Config {
        language: cbindgen::Language::C,
        include_guard: Some("KEYPOSE_H".into()),
        header: Some(
            "/* The game runtime of Keypose for C. Made by cbindgen from c/src/lib.rs; docs/c.md describes it. */"
                .into(),
        ),
        after_includes: Some(
            "\n// The index that functions return if something doesn't exist.\n#define KEYPOSE_NONE SIZE_MAX".into(),
        ),
        usize_is_size_t: true,
        cpp_compat: true,
        documentation_style: cbindgen::DocumentationStyle::C99,
        ..cbindgen::Config::default()
    };
    let bindings = cbindgen::Builder::new().with_config(config).with_src("src/lib.rs").generate().expect("cbindgen");
    let mut text = Vec::new();
    bindings.write(&mut text);
    let path = "include/keypose.h";
    if std::env::var_os("KEYPOSE_WRITE_HEADER").is_some() {
        std::fs::write(path, &text).expect("the header can be written");
    }
    let known = std::fs::read(path).unwrap_or_default();
    assert!(known == text, "c/include/keypose.h is older than c/src/lib.rs: build with KEYPOSE_WRITE_HEADER=1");
}
