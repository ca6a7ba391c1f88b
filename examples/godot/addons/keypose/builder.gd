@tool
extends RefCounted
## Adds what Keypose writes into the extras of a GLB: loop modes, events, sockets and volumes.

const Character := preload("character.gd")

var _scene: Node
var _state: GLTFState
var _notes: Dictionary
var _player: AnimationPlayer
## Attachments by the name of their bone.
var _attachments: Dictionary = {}
## Objects with `shape`, `kind` ("hurt", "hit" or "replaced"), `clip` and `lane`; see _add_shape.
var _shapes: Array[Dictionary] = []


func _init(scene: Node, state: GLTFState) -> void:
	_scene = scene
	_state = state
	_notes = _notes_of(state.json["asset"])
	_player = scene.find_child("AnimationPlayer", true, false) as AnimationPlayer


func build() -> void:
	_scene.set_script(Character)
	_scene.set("machine", _notes.get("machine", {}))
	_name_sockets()
	_add_volumes()
	var animations: Array = _state.json.get("animations", [])
	for index in animations.size():
		_finish_animation(_animation(index), _notes_of(animations[index]))
	_convert_meshes(_scene)
	# Only nodes with an owner are saved.
	for node in _scene.find_children("*", "", true, false):
		node.owner = _scene


static func _notes_of(object: Dictionary) -> Dictionary:
	return object.get("extras", {}).get("keypose", {})


## In the editor, glTF documents make meshes of the importer, which are not drawn.
func _convert_meshes(node: Node) -> void:
	for child in node.get_children():
		_convert_meshes(child)
	var old := node as ImporterMeshInstance3D
	if old == null:
		return
	var new := MeshInstance3D.new()
	new.mesh = old.mesh.get_mesh()
	new.skin = old.skin
	new.skeleton = old.skeleton_path
	new.transform = old.transform
	new.visible = old.visible
	var title := old.name
	old.replace_by(new)
	new.name = title
	old.free()


func _animation(index: int) -> Animation:
	return _player.get_animation(_state.get_animations()[index].resource_name)


func _name_sockets() -> void:
	var nodes: Array = _state.json.get("nodes", [])
	for index in nodes.size():
		var notes := _notes_of(nodes[index])
		if notes.get("is") == "socket":
			var socket := _state.get_scene_node(index)
			socket.name = notes["name"]
			socket.add_to_group("socket", true)


func _add_volumes() -> void:
	for volume: Dictionary in _notes.get("hurt", []):
		_add_shape(volume, "hurt", "", {"volume": volume["name"]})
	for animation: Dictionary in _state.json.get("animations", []):
		var notes := _notes_of(animation)
		var lanes: Dictionary = notes.get("lanes", {})
		for hit: Dictionary in lanes.get("hits", []):
			for volume: Dictionary in hit["volumes"]:
				_add_shape(volume, "hit", notes["name"], hit)
		for hurt: Dictionary in lanes.get("hurts", []):
			if hurt["replaced"] != null:
				_add_shape(hurt["replaced"], "replaced", notes["name"], hurt)


## An Area3D on a bone, in the group "hit" or "hurt", with the members of the hit as metadata.
func _add_shape(volume: Dictionary, kind: String, clip: String, lane: Dictionary) -> void:
	var parent := _bone(volume["bone"])
	if parent == null:
		return
	var area := Area3D.new()
	area.name = " ".join([clip, kind, volume["name"]]).strip_edges()
	area.add_to_group("hit" if kind == "hit" else "hurt", true)
	if kind == "hit":
		var strike := lane.duplicate()
		strike.erase("volumes")
		area.set_meta("hit", strike)
	var from := _vector(volume["from"])
	var axis := _vector(volume["to"]) - from
	var capsule := CapsuleShape3D.new()
	capsule.height = axis.length() + 2.0 * volume["radius"]
	capsule.radius = volume["radius"]
	var shape := CollisionShape3D.new()
	shape.name = "Shape"
	shape.shape = capsule
	shape.disabled = kind != "hurt"
	area.position = from + axis / 2.0
	if not axis.is_zero_approx():
		area.quaternion = Quaternion(Vector3.UP, axis.normalized())
	parent.add_child(area, true)
	area.add_child(shape, true)
	_shapes.append({"shape": shape, "kind": kind, "clip": clip, "lane": lane})


## What follows a bone: an attachment to a skeleton, or the node of the bone in a model without
## skins.
func _bone(bone: String) -> Node:
	if _attachments.has(bone):
		return _attachments[bone]
	for skeleton: Skeleton3D in _scene.find_children("*", "Skeleton3D", true, false):
		# Godot replaces these characters in the names of bones.
		var title := bone.replace(":", "_").replace("/", "_")
		if skeleton.find_bone(title) >= 0:
			var attachment := BoneAttachment3D.new()
			attachment.name = "%s volumes" % title
			skeleton.add_child(attachment, true)
			attachment.bone_name = title
			_attachments[bone] = attachment
			return attachment
	var nodes: Array = _state.json.get("nodes", [])
	for index in nodes.size():
		if nodes[index].get("name") == bone and _notes_of(nodes[index]).get("is") == "bone":
			return _state.get_scene_node(index)
	push_warning("%s: the bone %s of a volume does not exist" % [_scene.name, bone])
	return null


func _finish_animation(animation: Animation, notes: Dictionary) -> void:
	animation.loop_mode = (
		{
			"loop": Animation.LOOP_LINEAR,
			"ping-pong": Animation.LOOP_PINGPONG,
		}
		. get(notes.get("loop"), Animation.LOOP_NONE)
	)
	for event: Dictionary in notes.get("events", []):
		# A track of its own: a track has one key for each time.
		var track := animation.add_track(Animation.TYPE_METHOD)
		animation.track_set_path(track, NodePath("."))
		var key := {"method": &"pass_event", "args": [StringName(event["name"])]}
		animation.track_insert_key(track, event["time"], key)
	for volume in _shapes:
		_add_shape_track(animation, notes, volume)


## Every clip sets every shape, so that none stays on when a clip is left early.
func _add_shape_track(animation: Animation, notes: Dictionary, volume: Dictionary) -> void:
	var shape: CollisionShape3D = volume["shape"]
	var track := animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, "%s:disabled" % _scene.get_path_to(shape))
	animation.value_track_set_update_mode(track, Animation.UPDATE_DISCRETE)
	var lanes: Dictionary = notes.get("lanes", {})
	var ranges: Array = (
		lanes.get("hits", []) + lanes.get("hurts", []) + lanes.get("invulnerable", [])
	)
	var times := [0.0]
	for lane: Dictionary in ranges:
		times.append_array([lane["start"], lane["end"]])
	times.sort()
	# A clip that plays once keeps the values of its end.
	var ends := animation.loop_mode == Animation.LOOP_NONE
	var before := -1
	for time: float in times:
		var is_active := _is_active(volume, notes, time)
		if int(is_active) != before and (ends or time < animation.length):
			animation.track_insert_key(track, minf(time, animation.length), not is_active)
		before = int(is_active)


func _is_active(volume: Dictionary, notes: Dictionary, time: float) -> bool:
	var lanes: Dictionary = notes.get("lanes", {})
	var is_now := func(span: Dictionary) -> bool:
		return span["start"] <= time and time < span["end"]
	var lane: Dictionary = volume["lane"]
	if volume["kind"] == "hit":
		return volume["clip"] == notes["name"] and is_now.call(lane)
	if lanes.get("invulnerable", []).any(is_now):
		return false
	if volume["kind"] == "replaced":
		return volume["clip"] == notes["name"] and is_now.call(lane)
	var is_moved := func(hurt: Dictionary) -> bool:
		return hurt["volume"] == lane["volume"] and is_now.call(hurt)
	return not lanes.get("hurts", []).any(is_moved)


static func _vector(numbers: Array) -> Vector3:
	return Vector3(numbers[0], numbers[1], numbers[2])
