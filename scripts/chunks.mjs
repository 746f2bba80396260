// A program as one file of chunks, each a function that runs when it is first needed. In esbuild's own CommonJS every
// function of a lazily imported module is at the top level, where V8 keeps a record of each, in memory and in the cache.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { init, parse } from 'es-module-lexer'
import { build } from 'esbuild'

/** A chunk for each set of modules that are always loaded together; `import()` in the sources says what is lazy. */
export async function buildChunks(options) {
  const { outputFiles, metafile } = await build({
    ...options,
    format: 'esm',
    splitting: true,
    write: false,
    outdir: 'chunks',
    chunkNames: '[hash]',
    entryNames: '[hash]',
  })
  noMutableExports(metafile)
  await init
  const chunks = outputFiles.map(({ path, text }) => ({ name: basename(path), text }))
  const places = new Map(chunks.map(({ name }, place) => [`./${name}`, place]))
  const [entry] = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === options.entryPoints[0],
  )
  const bodies = chunks.map(({ text }) => asFunction(text, places))
  const loaded = `const __loaded=[],__chunk=(place)=>__loaded[place]??=__chunks[place]();`
  const start = `module.exports=__chunk(${places.get(`./${basename(entry)}`)});`
  return { text: `"use strict";${loaded}const __chunks=[\n${bodies.join(',\n')}];\n${start}\n`, metafile }
}

/** What a chunk exports is read once, when it has run: chunks never import each other in a circle. */
function asFunction(text, places) {
  const [imports] = parse(text)
  const load = (from) =>
    places.has(from) ? `__chunk(${places.get(from)})` : `require(${JSON.stringify(from)})`
  const exported = text.lastIndexOf('export{')
  let body = exported === -1 ? text : text.slice(0, exported) + exportsAs(text.slice(exported))
  for (const { ss, se, d, n } of imports.reverse()) {
    const now = text.slice(0, ss).endsWith('__now(')
    const later = now ? load(n) : `Promise.resolve().then(()=>${load(n)})`
    const by = d === -1 ? importAs(text.slice(ss, se), load(n)) : later
    body = body.slice(0, now ? ss - '__now'.length - 1 : ss) + by + body.slice(now ? se + 1 : se)
  }
  return `()=>{${body.trimEnd()}}`
}

/** esbuild writes `import"x"`, `import a from"x"`, `import*as a from"x"` or `import{a as b}from"x"`. */
function importAs(statement, from) {
  if (statement.startsWith('import"')) return from
  const [, whole, names] = /^import(?: |\*as )?(?:([\w$]+) |\{([^}]*)\})from"/.exec(statement) ?? []
  if (whole === undefined && names === undefined) throw new Error(`no rule for this import: ${statement}`)
  return `const ${whole ?? `{${names.replaceAll(' as ', ':')}}`}=${from}`
}

/** It writes one list of exports, as the last statement. */
function exportsAs(statement) {
  const [, names] = /^export\{([^}]*)\};\s*$/.exec(statement) ?? []
  if (names === undefined) throw new Error(`no rule for these exports: ${statement.slice(0, 100)}`)
  return `return{${names.replaceAll(/([\w$]+) as ([\w$]+)/g, '$2:$1')}};`
}

/** The one thing that reading an export once would change. */
function noMutableExports({ inputs }) {
  for (const path of Object.keys(inputs)) {
    if (/^export let /m.test(readFileSync(path, 'utf8')))
      throw new Error(`${path} exports a variable with let`)
  }
}
