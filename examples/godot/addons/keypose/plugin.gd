@tool
extends EditorPlugin
## Adds the import of .wad archives, and the project setting of the program that converts them.

const Importer := preload("importer.gd")

var _importer: EditorImportPlugin


func _enter_tree() -> void:
	if not ProjectSettings.has_setting(Importer.PROGRAM):
		ProjectSettings.set_setting(Importer.PROGRAM, "keypose")
	ProjectSettings.set_initial_value(Importer.PROGRAM, "keypose")
	ProjectSettings.add_property_info(
		{"name": Importer.PROGRAM, "type": TYPE_STRING, "hint": PROPERTY_HINT_GLOBAL_FILE}
	)
	_importer = Importer.new()
	add_import_plugin(_importer)


func _exit_tree() -> void:
	remove_import_plugin(_importer)
	_importer = null
