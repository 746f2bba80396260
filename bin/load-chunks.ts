import { readFileSync } from 'node:fs'
import { compileFunction, constants } from 'node:vm'

/** A file of chunks: its size, where the first one starts, and how long each is. */
interface FileOfChunks {
  readonly bytes: number
  readonly from: number
  readonly sizes: readonly number[]
}

interface Place {
  readonly file: number
  readonly from: number
  readonly to: number
}

/** What the build writes before the statements of a chunk, behind them, and behind the chunk. */
const BEFORE = 'function(){'.length
const BEHIND = '}'.length
const BETWEEN = ',\n'.length

/**
 * Runs the programs without compiling their files: each chunk is compiled when it is first needed. A file compiled as a
 * whole is read by V8 to its end, most of it in vain, so this is how a program starts where no code cache can be.
 */
export function loadChunks(names: readonly string[]): unknown {
  const files: readonly FileOfChunks[] = JSON.parse(
    readFileSync(`${__dirname}/programs-chunks.json`, 'latin1'),
  )
  const places = files.flatMap(placesOf)
  const texts: Buffer[] = []
  const loaded: unknown[] = []
  const textOf = (file: number): Buffer => {
    const text = readFileSync(`${__dirname}/${names[file]}`)
    // What is cut off must not run in part.
    if (text.length !== files[file]?.bytes) throw new Error(`${names[file]} is damaged`)
    return text
  }
  const run = (place: number): unknown => {
    const { file, from, to } = places[place] as Place
    texts[file] ??= textOf(file)
    const compiled = compileFunction(texts[file].toString('latin1', from, to), GIVEN, {
      filename: `${__dirname}/${names[file]}`,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    })
    return compiled(require, `${__dirname}/${names[0]}`, __dirname, at, inPromise)
  }
  const at = (place: number): unknown => {
    loaded[place] ??= run(place)
    return loaded[place]
  }
  const inPromise = (place: number): Promise<unknown> => Promise.resolve().then(() => at(place))
  return at(0)
}

const GIVEN = ['require', '__filename', '__dirname', '__at', '__to']

function placesOf({ from, sizes }: FileOfChunks, file: number): readonly Place[] {
  let at = from
  return sizes.map((size) => {
    const place = { file, from: at + BEFORE, to: at + size - BEHIND }
    at += size + BETWEEN
    return place
  })
}
