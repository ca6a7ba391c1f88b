@tool
extends Node3D
## The root of an imported model. Its animations call [method pass_event] at their events.

## A playing animation passed an event.
signal event_passed(event: StringName)

## The state machine of the model, or nothing. Keypose has its schema: docs/machine.schema.json.
@export var machine: Dictionary = {}


func pass_event(event: StringName) -> void:
	event_passed.emit(event)
