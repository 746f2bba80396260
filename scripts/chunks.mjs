// A program as one file of chunks, each a function that runs when it is first needed. In esbuild's own CommonJS every
// function of a lazily imported module is at the top level, where V8 keeps a record of each, in memory and in the cache.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { init, parse } from 'es-module-lexer'
import { build } from 'esbuild'

/**
 * @typedef {object} Parts
 * @property {readonly [string]} entryPoints
 * @property {string} first
 * @property {(path: string) => boolean} always
 * @property {(path: string) => boolean} near
 */

/**
 * A chunk for each set of modules that are always loaded together; `import()` in the sources says what is lazy. What
 * `first` needs is in two files: itself, everything it imports, and `import()` of modules that it `always` needs; then
 * `import()` of modules that are `near`. The rest is in another one, so that it is not even read.
 * @param {import('esbuild').BuildOptions & Parts} options
 */
export async function buildChunks({ entryPoints, first, always, near, ...options }) {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: [...entryPoints],
    format: 'esm',
    splitting: true,
    write: false,
    metafile: true,
    outdir: 'chunks',
    chunkNames: '[hash]',
    entryNames: '[hash]',
  })
  noMutableExports(metafile)
  await init
  const { outputs } = metafile
  /** @param {string} source */
  const nameOf = (source) => {
    const made = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source)
    if (made === undefined) throw new Error(`no chunk was made of ${source}`)
    return made[0]
  }
  const entry = nameOf(entryPoints[0])
  /** @param {string} name */
  const importsOf = (name) => outputs[name]?.imports ?? []
  /** @param {(path: string) => boolean} isNear */
  const fromHook = (isNear) => {
    const needed = new Set([entry])
    /** @param {string} name */
    const need = (name) => {
      if (needed.has(name)) return
      needed.add(name)
      for (const { path, kind } of importsOf(name)) {
        const imported = outputs[path]
        if (
          imported !== undefined &&
          (kind === 'import-statement' || isNear(fileOf(imported.entryPoint ?? '')))
        )
          need(path)
      }
    }
    need(nameOf(first))
    for (const { path, kind } of importsOf(entry)) if (kind === 'import-statement') need(path)
    return needed
  }
  /**
   * The path of the greatest file in a chunk.
   * @param {string} name
   */
  const pathIn = (name) => {
    const inputs = Object.entries(outputs[name]?.inputs ?? {})
    const [greatest] = inputs.sort(([, left], [, right]) => right.bytesInOutput - left.bytesInOutput)
    return fileOf(greatest?.[0] ?? '')
  }
  /**
   * What is alike is near each other, and the package is smaller.
   * @param {Iterable<string>} part
   */
  const sorted = (part) => [...part].sort((left, right) => (pathIn(left) < pathIn(right) ? -1 : 1))
  // A set keeps the order in which something was added first.
  const atOnce = fromHook(always)
  const soon = new Set([...atOnce, ...sorted(fromHook(near))])
  const names = [...new Set([...soon, ...sorted(Object.keys(outputs))])].map((name) => basename(name))
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  const places = new Map(names.map((name, place) => [`./${name}`, place]))
  const chunks = names.map((name) => toAscii(asFunction(texts.get(name) ?? '', places)))
  const files = inFiles(chunks, [atOnce.size, soon.size])
  return { texts: files, places: placesIn(files, chunks, [0, atOnce.size, soon.size]), metafile }
}

/**
 * ASCII takes half the memory and a fraction of the time to read; other characters are only in patterns and
 * templates.
 * @param {string} text
 */
export function toAscii(text) {
  /** @param {string} unit */
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return text.replace(/[^\0-\x7f]/g, escaped)
}

/**
 * Where the statements of each chunk are, for a program that runs once and compiles nothing but the chunks it needs:
 * see bin/load-chunks.ts. Sizes, because they are shorter than places.
 * @param {readonly string[]} files
 * @param {readonly string[]} chunks
 * @param {readonly number[]} starts
 */
function placesIn(files, chunks, starts) {
  return files.map((file, at) => {
    const own = chunks.slice(starts[at], starts[at + 1])
    return {
      bytes: file.length,
      from: file.indexOf(LIST) + LIST.length,
      sizes: own.map(({ length }) => length),
    }
  })
}

/** Before the first chunk of a file, and between two of them. */
const LIST = '[\n'
const NEXT = ',\n'

/**
 * Without the name of the plugin that made the module.
 * @param {string} entryPoint
 */
function fileOf(entryPoint) {
  return entryPoint.replace(/^[a-z-]+:/, '')
}

/**
 * Functions, because they are run as scripts: wrapping them at every start would copy them. bin/load-programs.ts calls
 * them. A chunk is no arrow function: V8 would read one twice, here and when it runs. `__at` runs the chunk at a place,
 * `__to` does it in a promise; no name that a minifier makes is as long.
 * @param {readonly string[]} chunks
 * @param {readonly [first: number, second: number]} sizes where the second and the third file start
 */
function inFiles(chunks, [first, second]) {
  const given = 'require,__filename,__dirname'
  const find = [
    `place<${first}?__chunks[place]`,
    `place<${second}?(__second??=__load(1)(__at,__to))[place-${first}]`,
    `(__third??=__load(2)(__at,__to))[place-${second}]`,
  ].join(':')
  const load = `let __second,__third;const __loaded=[],__at=place=>__loaded[place]??=(${find})(),__to=place=>Promise.resolve().then(()=>__at(place));`
  /**
   * @param {number} from
   * @param {number} [to]
   */
  const list = (from, to) => `${LIST}${chunks.slice(from, to).join(NEXT)}]`
  return [
    `(function(${given},module,__load){"use strict";${load}const __chunks=${list(0, first)};module.exports=__at(0)})\n`,
    `(function(${given}){"use strict";return(__at,__to)=>${list(first, second)}})\n`,
    `(function(${given}){"use strict";return(__at,__to)=>${list(second)}})\n`,
  ]
}

/**
 * What a chunk exports is read once, when it has run: chunks never import each other in a circle.
 * @param {string} text
 * @param {ReadonlyMap<string, number>} places
 */
function asFunction(text, places) {
  const [imports] = parse(text)
  /** @param {string} from */
  const load = (from) => (places.has(from) ? `__at(${places.get(from)})` : `require(${JSON.stringify(from)})`)
  const exported = text.lastIndexOf('export{')
  let body = exported === -1 ? text : text.slice(0, exported) + exportsAs(text.slice(exported))
  for (const { ss, se, d, n } of [...imports].reverse()) {
    const now = text.slice(0, ss).endsWith('__now(')
    const from = n ?? ''
    const inPromise = places.has(from)
      ? `__to(${places.get(from)})`
      : `Promise.resolve().then(()=>${load(from)})`
    const later = now ? load(from) : inPromise
    const by = d === -1 ? importAs(text.slice(ss, se), load(from)) : later
    body = body.slice(0, now ? ss - '__now'.length - 1 : ss) + by + body.slice(now ? se + 1 : se)
  }
  // Strict for itself: it may be compiled alone.
  return `function(){"use strict";${body.trimEnd()}}`
}

/**
 * esbuild writes `import"x"`, `import a from"x"`, `import*as a from"x"` or `import{a as b}from"x"`.
 * @param {string} statement
 * @param {string} from
 */
function importAs(statement, from) {
  if (statement.startsWith('import"')) return from
  const [, whole, names] = /^import(?: |\*as )?(?:([\w$]+) |\{([^}]*)\})from"/.exec(statement) ?? []
  if (whole === undefined && names === undefined) throw new Error(`no rule for this import: ${statement}`)
  const later = names === undefined ? undefined : importedLater(names, from)
  if (later !== undefined) return later
  return `const ${whole ?? `{${names?.replaceAll(' as ', ':')}}`}=${from}`
}

/**
 * Most calls start no program and unpack nothing, and these modules of Node load a dozen others.
 * @param {string} names
 * @param {string} from
 */
function importedLater(names, from) {
  const [, module = ''] = /^require\("(node:(?:child_process|zlib))"\)$/.exec(from) ?? []
  const functions = names.split(',').map((name) => name.split(' as '))
  if (module === '' || functions.some(([name = '']) => !/^[a-z]/.test(name) || name === 'constants'))
    return undefined
  const made = functions.map(([name, as = name]) => `${as}=(...given)=>${from}.${name}(...given)`)
  return `const ${made}`
}

/**
 * It writes one list of exports, as the last statement.
 * @param {string} statement
 */
function exportsAs(statement) {
  const [, names] = /^export\{([^}]*)\};\s*$/.exec(statement) ?? []
  if (names === undefined) throw new Error(`no rule for these exports: ${statement.slice(0, 100)}`)
  return `return{${names.replaceAll(/([\w$]+) as ([\w$]+)/g, '$2:$1')}};`
}

/**
 * The one thing that reading an export once would change.
 * @param {import('esbuild').Metafile} metafile
 */
function noMutableExports({ inputs }) {
  const files = Object.keys(inputs).filter((input) => fileOf(input) === input)
  for (const path of files.map((input) => input.replace(/\?.*/, ''))) {
    if (/^export let /m.test(readFileSync(path, 'utf8')))
      throw new Error(`${path} exports a variable with let`)
  }
}
