/** Why a client's configuration is not edited, and what came of edits. */
export const tapConfigTexts = {
  'tap.edit.syntax': 'The file is not valid JSON, so nothing in it is changed (line {line}: {problem}).',
  'tap.edit.duplicate':
    '“{name}” stands twice in the same object. Clients differ in which one counts, so the edit could not be undone reliably.',
  'tap.edit.gone': 'The file no longer has a server “{name}”.',
  'tap.edit.neither': '“{name}” has neither a command nor a URL.',
  'tap.edit.both': '“{name}” has both a command and a URL, so it is not clear which one its client uses.',
  'tap.edit.notText': '“{member}” of “{name}” is no text.',
  'tap.edit.notList': '“args” of “{name}” is no list of texts.',
  'tap.edit.tapped': '“{name}” is tapped already.',
  'tap.edit.address': '{url} is no plain http or https address.',
  'tap.edit.fragment': '{url} has a fragment (#…), where the tap would put its mark.',
  'tap.edit.variableAddress': 'The host of {url} is a variable, which only the client can fill in.',
  'tap.edit.credentials':
    'The address of “{name}” holds a user name or password, which a client sends only to that host.',
  'tap.edit.notUndone': 'The edit of “{name}” could not be undone exactly, so it is not made.',
  'tap.edit.noMark': 'The tap {id} is not in the file any more.',
  'tap.edit.noCommand': 'The command of “{name}” was removed from its tap, so it cannot be restored.',
  'tap.edit.encoding': '{file} is not written in UTF-8.',
  'tap.edit.unreadable': '{file} could not be read: {detail}',
  'tap.edit.unwritable': '{file} could not be written: {detail}',
  'tap.edit.changed': '{file} was changed meanwhile. Nothing was written.',
  'tap.edit.unsaved': '{file} has changes that are not saved. Save or revert it first.',
  'tap.edit.noRuntime': 'Node.js {version} or later is needed for a client to start the tap, and none was found.',
  'tap.edit.noPort': 'No port was free for the tap to listen on.',
} as const;
