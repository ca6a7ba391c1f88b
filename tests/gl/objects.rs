//! The objects of `render::gl` by themselves: in whatever order they are dropped, and whatever is drawn, nothing leaves its bounds.

use bytemuck::{Pod, Zeroable};
use keypose_app::app::film::headless::{Checks, Driver, Headless};
use keypose_editor::render::gl::buffer::{Buffer, Indices, Usage};
use keypose_editor::render::gl::texture::Texture;
use keypose_editor::render::gl::vertex_array::{Attribute, Components, Primitive, Step, VertexArray};

use crate::needs;

#[repr(C)]
#[derive(Clone, Copy, Zeroable, Pod)]
struct Corner([f32; 3]);

const POSITION: [Attribute; 1] = [Attribute { location: 0, components: Components::Floats(3), offset: 0 }];

fn open() -> Option<Headless> {
    let opened = Headless::open(Driver::Software, Checks::On);
    opened.map_err(|error| needs::missing("gl", &error)).ok()
}

#[test]
fn objects_may_outlive_what_opened_their_context() {
    let Some(gl) = open() else { return };
    let context = gl.context.clone();
    let buffer = Buffer::with(&context, Usage::Static, &[Corner([0.0; 3])]).unwrap();
    let texture = Texture::image(&context, [1, 1], &[255; 4]).unwrap();
    drop(gl);
    // The context is still current: its functions answer.
    assert!(!context.describe().is_empty() && buffer.byte_len() == 12);
    drop(context);
    drop(texture);
    drop(buffer);
    // Another one can be opened on this thread afterwards.
    assert!(open().is_some());
}

#[test]
fn no_more_is_drawn_than_buffers_have() {
    let Some(gl) = open() else { return };
    let context = &gl.context;
    let mut buffer = Buffer::with(context, Usage::Stream, &[Corner([0.0; 3]); 3]).unwrap();
    let mut array = VertexArray::new(context).unwrap();
    array.feed::<Corner>(&buffer, Step::Vertex, &POSITION);
    array.index(&Indices::new(context, Usage::Static, &[0, 1, 2, 0, 1, 1_000_000]).unwrap());
    array.draw(Primitive::Triangles, 3_000_000);
    array.draw_indexed(Primitive::Triangles, 0..6);
    array.draw_instanced(Primitive::Triangles, 3_000_000, 2);
    buffer.set::<Corner>(&[]);
    array.draw(Primitive::Triangles, 3);
    array.draw_indexed(Primitive::Triangles, 0..6);
    let beyond = Attribute { offset: 4, ..POSITION[0] };
    let feed = std::panic::AssertUnwindSafe(|| array.feed::<Corner>(&buffer, Step::Vertex, &[beyond]));
    assert!(std::panic::catch_unwind(feed).is_err(), "an attribute is within an element");
}
