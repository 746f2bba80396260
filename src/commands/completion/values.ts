import type { CompletionAnswer, CompletionItem } from './candidates.ts'

type Source = (word: string) => Promise<CompletionAnswer>

/**
 * Values that are not in the tree of commands, by option, by command and argument, or by placeholder. Loaded
 * only when needed: completion must not load the engine.
 */
const SOURCES: Readonly<Record<string, Source>> = {
  host: async () => named(Object.keys((await import('../../hosts/index.ts')).HOSTS)),
  '--host': async () => named(Object.keys((await import('../../hosts/installers.ts')).INSTALLERS)),
  'run agent': async () => named(['claude', 'codex']),
  args: files,
  pack: packs,
  hook: async () => ({ candidates: (await library()).guards }),
  'guards pattern': async () => ({ candidates: (await library()).guards }),
  'explain what': async () => ({ candidates: (await library()).guards }),
  event: async () => named((await import('../../core/event.ts')).EVENT_KINDS),
  action: async () => named((await import('../../tools/mux/verify.ts')).ACTIONS),
  'docs topic': topics,
  commands: async () => named((await import('../../system/permit.ts')).PERMITTED),
  command: files,
  file: files,
  files,
  ref: files,
  report: files,
  signal: files,
  dir: folders,
  folder: folders,
  'session-dir': folders,
}

export async function completionValues(
  keys: readonly string[],
  word: string,
): Promise<CompletionAnswer | undefined> {
  const key = keys.find((each) => Object.hasOwn(SOURCES, each))
  return key === undefined ? undefined : await SOURCES[key]?.(word)
}

async function files(): Promise<CompletionAnswer> {
  return { candidates: [], paths: 'files' }
}

async function folders(): Promise<CompletionAnswer> {
  return { candidates: [], paths: 'folders' }
}

function named(values: readonly string[]): CompletionAnswer {
  return { candidates: values.map((value) => ({ value, description: '' })) }
}

async function packs(): Promise<CompletionAnswer> {
  const { PACKS } = await import('../../policy/packs/index.ts')
  const { titles } = await library()
  return {
    candidates: Object.keys(PACKS).map((value) => ({ value, description: titles.get(value) ?? '' })),
  }
}

/** A hundred guards would hide the pages, so guards are offered only after some letters are typed. */
async function topics(word: string): Promise<CompletionAnswer> {
  const { pages, guards } = await library()
  return { candidates: word === '' ? pages : [...pages, ...guards] }
}

interface Names {
  readonly pages: readonly CompletionItem[]
  readonly guards: readonly CompletionItem[]
  /** What each pack is about. */
  readonly titles: ReadonlyMap<string, string>
}

/** The documentation names every page and guard, and reading it is faster than loading the packs. */
async function library(): Promise<Names> {
  const { openLibrary, titleOf } = await import('../docs/pages.ts')
  const { pages, read } = openLibrary()
  const candidate = (page: (typeof pages)[number]) => ({
    value: page.topic,
    description: titleOf(page, read(page)),
  })
  const index = pages.find(({ topic }) => topic === 'guards')
  const parts = index === undefined ? [] : read(index).matchAll(/^## (\S+)\n+(.+)$/gm)
  return {
    pages: pages.filter(({ topic }) => !topic.includes('/')).map(candidate),
    guards: pages.filter(({ topic }) => topic.includes('/')).map(candidate),
    titles: new Map([...parts].map(([, pack = '', title = '']) => [pack, title])),
  }
}
