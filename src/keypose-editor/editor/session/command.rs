//! The commands: everything that a menu entry, a key or the command search can run.

macro_rules! commands {
    ($($name:ident)*) => {
        /// A command. [`crate::editor::commands`] has its action; the names are stored in the preferences.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Command {
            $($name,)*
        }

        impl Command {
            /// All commands, in the order of the menus.
            pub const ALL: [Command; [$(Command::$name),*].len()] = [$(Command::$name),*];
        }
    };
}

commands! {
    // File
    New Open Import AddClips AddKnightClips Reimport OpenDemo RecoverWork Save SaveAs SavePatch ExportPicture ExportModel
    DiscardRecovered Quit
    // Edit
    Undo Redo Copy Paste PasteMirrored Duplicate Delete DeleteRipple SelectAll SelectListed SelectNone SelectParent
    SelectChild ExtendParent ExtendChild SelectChain SelectMirror BoxSelect SelectBack SelectForward SelectColumn
    FindCommand ReplaceTexture FindTextures RemoveTexture RenameModel RemoveModel NextSkinning AddSocket SocketToBone
    RemoveSocket Preferences
    // Pose
    Move Rotate Scale Reach TogglePin ClearPins ToggleWholeBody ToggleKeepEndRotation ToggleJointLimits ToggleSprings ToggleLiveSprings KeyPose KeyMenu KeySelected KeyChanged
    DeleteKeyHere DiscardDraft KeyTextureFrame NextTextureFrame PreviousTextureFrame ClearTranslation ClearRotation ClearScale ClearAll CopyPose PastePose
    PastePoseMirrored MirrorPose SetRestPose SavePose Breakdown Push Relax TowardsNeighbour Anticipation Overshoot MovingHold DelayChain DrawMotionPath BakeSprings ToggleLiveMirror
    MirrorTable AutoKeyOnKeyframes AutoKeyAlways AutoKeyNever ToggleKeyTranslations ToggleKeyRotations
    ToggleKeyScales ToggleKeyValues
    // Clip
    NewClip DuplicateClip DeleteClip MirroredClip ReversedClip RetimedClip TrimmedClip AddLayer KeyLayerWeight LimitLayer ClearLayerLimit FlattenLayers ExtractRootMotion RetargetedClip
    BoneMap UnlockClip
    CloseClip CheckClips LoopOnce LoopLoop LoopPingPong PlayPause PlayReverse FrameBack FrameForward
    PreviousKeyframe NextKeyframe GoToStart GoToEnd SplitKeyframe InsertKeyframe MergeKeyframes HoldKeyframe
    DuplicateKeyframe DeleteKeyframe TypeDuration MarkExtreme MarkBreakdown ClearMark EndHere AddEvent AddHit AddHurt AddCancel AddInvulnerable
    AddContact ProposeContacts CleanContacts ContactEvents FollowArc
    AddVolume FitVolume MirrorVolume SetVolumeBone DeleteVolume FitHurtVolumes SetLoopSection ClearLoopSection
    ToggleRepeat TogglePingPong ToggleSnapTime
    // Keys
    EaseStep EaseLinear EaseCubic EaseMenu HandlesAuto HandlesFlat HandlesVector HandlesAligned HandlesFree
    ResetHandleLengths ToHermite HandlesMenu MoveKeys ScaleKeys RippleKeys MirrorKeysInTime ReduceKeys ReduceToPoses CopyKeys PasteKeys
    PasteKeysMirrored DuplicateKeys DeleteKeys DeleteKeysRipple SelectAllKeys SelectNoKeys BoxSelectKeys
    // View
    ToolSelect ToolMove ToolRotate ToolScale ToolReach SpaceLocal SpaceParent SpaceModel SpaceView
    ToggleSharedPivot FrameSelected FrameAll LookFront LookBack LookRight LookLeft LookTop LookBottom ToggleOrtho
    LookGame Bench FlipBench BenchSilhouette Crowd LargerCrowd SmallerCrowd CrowdClips BlendPreview
    ToggleTurntable TogglePixelView SpritesMode ShadeLit ShadeFlat ShadeSilhouette ToggleWireframe ToggleXRay
    ShadeWeights ShadeBoneColors
    ShadeNormals ShadeNormalLines ShadeUvChecker ShadeOverdraw ShadeSkinSpace ToggleSkinningSplit ShowRestPose
    ShowBindPose ToggleOverlays ToggleSkeleton ToggleBoneNames ToggleBoneAxes ToggleGrid ToggleStats ToggleGhosts
    ToggleReferences AddReference AddFilm GhostNeighbours MoreGhosts FewerGhosts PinGhosts UnpinGhosts GhostOtherClip
    GhostMirror GhostSaved ToggleVolumes ToggleSource ToggleBalance ToggleTrails PinTrail UnpinTrails Hide HideOthers Reveal
    ShowStrip ShowSheet ShowCurves NextTimeView FilterRows ToggleOnlySelected ToggleOnlyKeyed ToggleNormalised
    FitTime ThemeDark ThemeLight LargerScale SmallerScale NormalScale ArrangePosing ArrangeTiming ArrangeGame
    ResetLayout ToggleFilled
    // Rig
    RigMode RigMirror AddBone ExtrudeBone MoveJoints CenterJoints SplitBone MirrorBones RenameBone ParentBones
    UnparentBones DeleteBones BindMeshes BindRigid ProposeLimits BindBones BindMesh TransferWeights PaintWeights PaintPosed BrushRadius
    BrushStrength LockWeights PlaceTemplate MakeRig
    // Level
    LevelMode NewLevel RemoveLevel SelectThings DrawSolid DrawPlatform DrawLadder DrawDecor PlaceFoe PlaceCoin
    PlaceCheckpoint PlaceGoal DrawSpikes DrawSlope DrawMover MoveThings AddFoeKind RemoveFoeKind PlayFromHere
    // Game
    PlayTest ToggleFollow CreateStateMachine AddMachineState ArrangeStates DeleteInMachine PreviewMachine RemoveStateMachine
    AddSound PlaySound RemoveSound
    // Help
    FirstSteps Manual Shortcuts About
}
