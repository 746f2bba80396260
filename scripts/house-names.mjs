// Exported names that several files of src/ use, for `npm run house` and its gate.

/** The names that may be exported by more than one file, each with the reason. */
export const SHARED_NAMES = new Map([
  ['cases', 'each file of programs has its cases'],
  ['pack', 'each pack'],
  ['create', 'each handler'],
  ['kind', 'each handler'],
  ['decode', 'each host'],
  ['encode', 'each host'],
  ['refuse', 'each host'],
  ['host', 'each host'],
  ['installer', 'each host that can be installed into'],
  ['transcript', 'each host whose transcripts are read'],
  ['noTranscript', 'each host without transcripts that can be read'],
  ['source', 'each source'],
  ['finds', 'each source that looks for files'],
  ['STOPS', 'examples of a guard, in a file of their own'],
  ['PASSES', 'examples of a guard, in a file of their own'],
  ['shred', 'a program, and the guard that stops it'],
  ['HookEvent', 'public: the library and the MassGen adapter each have one; there it is a type and a value'],
  ['HookResult', 'public: the library and the MassGen adapter each have one; there it is a type and a value'],
  ['writtenScript', 'guards are named by their act: packs safety, secrets and self'],
])

/**
 * Every exported name that more than one text declares, with the files: `name` to paths.
 * @param {Iterable<readonly [file: string, text: string]>} texts
 * @returns {ReadonlyMap<string, readonly string[]>}
 */
export function sharedNames(texts) {
  /** @type {Map<string, readonly string[]>} */
  const places = new Map()
  const exported = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm
  // The overloads of a function are one name.
  for (const [file, text] of texts)
    for (const [, name = ''] of text.matchAll(exported))
      places.set(name, [...(places.get(name) ?? []).filter((each) => each !== file), file])
  return new Map([...places].filter(([, files]) => files.length > 1))
}

/**
 * Files whose names count: not tests, contract suites or the public test helpers. `file` is relative to src/.
 * @param {string} file
 * @returns {boolean}
 */
export function countsForNames(file) {
  return file.endsWith('.ts') && !/\.(?:test|contract|fixture)\.ts$|^library\/testing\//.test(file)
}
