@tool
extends EditorImportPlugin
## Imports a .wad: `keypose export` makes a GLB of it, Godot reads that, and builder.gd adds what
## glTF can't say.

const Builder := preload("builder.gd")
## The project setting with the path of the program.
const PROGRAM := "keypose/program"


func _get_importer_name() -> String:
	return "keypose.wad"


func _get_visible_name() -> String:
	return "Keypose scene"


func _get_recognized_extensions() -> PackedStringArray:
	return ["wad"]


func _get_save_extension() -> String:
	return "scn"


func _get_resource_type() -> String:
	return "PackedScene"


func _get_priority() -> float:
	return 1.0


func _get_import_order() -> int:
	return ResourceImporter.IMPORT_ORDER_SCENE


func _get_preset_count() -> int:
	return 0


func _get_import_options(_path: String, _preset: int) -> Array[Dictionary]:
	# The first model of the archive if the name is empty.
	return [{"name": "model", "default_value": ""}]


func _get_option_visibility(_path: String, _option: StringName, _options: Dictionary) -> bool:
	return true


func _import(
	source_file: String,
	save_path: String,
	options: Dictionary,
	_platform_variants: Array[String],
	_gen_files: Array[String]
) -> Error:
	var glb := _export(source_file, options["model"])
	if glb.is_empty():
		return ERR_CANT_OPEN
	var document := GLTFDocument.new()
	var state := GLTFState.new()
	state.set_handle_binary_image(GLTFState.HANDLE_BINARY_EMBED_AS_UNCOMPRESSED)
	var error := document.append_from_buffer(glb, "", state)
	if error != OK:
		return error
	# Cubic curves are sampled at 60 Hz. Tracks that don't change are kept, so that clips can be mixed.
	var scene := document.generate_scene(state, 60, false, false)
	if scene == null:
		return ERR_INVALID_DATA
	Builder.new(scene, state).build()
	var packed := PackedScene.new()
	error = packed.pack(scene)
	scene.free()
	if error != OK:
		return error
	return ResourceSaver.save(packed, save_path + "." + _get_save_extension())


## The bytes of the GLB; none if the program failed, with its reason as an error.
func _export(source_file: String, model: String) -> PackedByteArray:
	var target := OS.get_cache_dir().path_join("keypose-%d.glb" % OS.get_process_id())
	var arguments := [
		"export", ProjectSettings.globalize_path(source_file), "-o", target, "--force"
	]
	if model != "":
		arguments.append_array(["--model", model])
	var output := []
	var program: String = ProjectSettings.get_setting(PROGRAM)
	if OS.execute(program, arguments, output, true) != 0:
		push_error("%s: %s failed: %s" % [source_file, program, "".join(output)])
		return PackedByteArray()
	var bytes := FileAccess.get_file_as_bytes(target)
	DirAccess.remove_absolute(target)
	return bytes
