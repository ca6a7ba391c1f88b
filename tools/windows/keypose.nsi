; The installer for Windows, for one user: no administrator is asked. tools/release defines VERSION, FOLDER with the files,
; DELETES, which is a script that deletes them, and OUTPUT.
Target amd64-unicode
Name "Keypose ${VERSION}"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\Keypose"
RequestExecutionLevel user
SetCompressor /SOLID lzma
AllowSkipFiles off
ManifestDPIAware true

!include LogicLib.nsh
!include MUI2.nsh
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Keypose"
!define CLASSES "Software\Classes"
; Tells the desktop that types of files have changed.
!define TYPES_CHANGED "System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'"

!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\keypose.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

!macro TYPE ID NAME
    WriteRegStr HKCU "${CLASSES}\${ID}" "" "${NAME}"
    WriteRegStr HKCU "${CLASSES}\${ID}\DefaultIcon" "" "$INSTDIR\keypose.exe,0"
    WriteRegStr HKCU "${CLASSES}\${ID}\shell\open\command" "" '"$INSTDIR\keypose.exe" "%1"'
!macroend

; Keypose is one of the programs that open a type; which one does by default is the user's choice.
!macro OPENS ENDING ID
    WriteRegStr HKCU "${CLASSES}\.${ENDING}\OpenWithProgids" "${ID}" ""
!macroend

!macro OPENS_NOT ENDING ID
    DeleteRegValue HKCU "${CLASSES}\.${ENDING}\OpenWithProgids" "${ID}"
    DeleteRegKey /ifempty HKCU "${CLASSES}\.${ENDING}\OpenWithProgids"
    DeleteRegKey /ifempty HKCU "${CLASSES}\.${ENDING}"
!macroend

!macro MODELS WHAT
    !insertmacro ${WHAT} glb Keypose.Model
    !insertmacro ${WHAT} gltf Keypose.Model
    !insertmacro ${WHAT} vrm Keypose.Model
    !insertmacro ${WHAT} fbx Keypose.Model
    !insertmacro ${WHAT} dae Keypose.Model
    !insertmacro ${WHAT} obj Keypose.Model
    !insertmacro ${WHAT} bvh Keypose.Model
    !insertmacro ${WHAT} vrma Keypose.Model
!macroend

Section
    SetOutPath "$INSTDIR"
    File /r "${FOLDER}/*"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    CreateShortcut "$SMPROGRAMS\Keypose.lnk" "$INSTDIR\keypose.exe"

    !insertmacro TYPE Keypose.Archive "Keypose archive"
    !insertmacro TYPE Keypose.Model "3D model"
    !insertmacro OPENS wad Keypose.Archive
    ReadRegStr $0 HKCR ".wad" ""
    ${If} $0 == ""
        WriteRegStr HKCU "${CLASSES}\.wad" "" "Keypose.Archive"
    ${EndIf}
    !insertmacro MODELS OPENS

    WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Keypose"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
    WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\keypose.exe"
    WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
    WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
    WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
    WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
    ${TYPES_CHANGED}
SectionEnd

; The user's preferences and unsaved work stay.
Section Uninstall
    ; The files by name: the folder may have others of the user.
    Delete "$INSTDIR\keypose.exe"
    ${If} ${FileExists} "$INSTDIR\keypose.exe"
        MessageBox MB_ICONSTOP "Keypose is running. Close it first." /SD IDOK
        Abort "Keypose is running."
    ${EndIf}
    !include "${DELETES}"
    RMDir "$INSTDIR\docs"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
    Delete "$SMPROGRAMS\Keypose.lnk"
    ReadRegStr $0 HKCU "${CLASSES}\.wad" ""
    ${If} $0 == "Keypose.Archive"
        DeleteRegValue HKCU "${CLASSES}\.wad" ""
    ${EndIf}
    !insertmacro OPENS_NOT wad Keypose.Archive
    !insertmacro MODELS OPENS_NOT
    DeleteRegKey HKCU "${CLASSES}\Keypose.Archive"
    DeleteRegKey HKCU "${CLASSES}\Keypose.Model"
    DeleteRegKey HKCU "${UNINSTALL}"
    ${TYPES_CHANGED}
SectionEnd
