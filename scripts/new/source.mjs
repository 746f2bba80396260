import { isId, keyFor, textOf, withLine } from './names.mjs'

const SOURCES = 'src/config/sources'

/**
 * The files of a new format of configuration, as texts by their paths; or the problem.
 *
 * @example
 * newSource(['acme-hooks'], repository)
 * // { files: { 'src/config/sources/acme-hooks/source.ts': …, … }, next: […] }
 * @type {import('./kinds.mjs').NewSkeleton}
 */
export function newSource([id = ''], repository) {
  if (!isId(id)) return { problem: 'Name a format in small letters: npm run new source <name>' }
  const folder = `${SOURCES}/${id}`
  if (repository.list(folder).length > 0)
    return { problem: `${id} is a source already: ${folder}. Change it there.` }
  const line = `${keyFor(id)}: () => import('./${id}/source.ts'),`
  return {
    files: {
      [`${folder}/source.ts`]: sourceText(id),
      [`${folder}/source.test.ts`]: testText(id),
      [`${SOURCES}/index.ts`]: withLine(textOf(repository, `${SOURCES}/index.ts`), 'SOURCES', line),
    },
    next: [
      `1. Write in ${folder}/source.test.ts files of the format, good and broken ones.`,
      `2. Say in ${folder}/source.ts how they are read. It must not run or load anything.`,
      `3. Run: npm test -- ${SOURCES}`,
      '4. Name it under `imports` in docs/reference/configuration.md.',
    ],
  }
}

/** @param {string} id */
function sourceText(id) {
  return `import { good, type Problem, type Result } from '../../../core/errors.ts'
import type { Layer } from '../../../core/layer.ts'
import { readClaudeHooks } from '../claude-hooks.ts'
import { readClaudeJson } from '../claude-json.ts'
import { readingOf } from '../claude-reading.ts'
import { matcherReader } from '../matcher.ts'
import type { Source, SourceFile } from '../source.ts'

/** JSON with \`hooks\` in the words of Claude Code: say here how the format differs. */
export const source: Source = { id: '${id}', parse }

function parse(text: string, file: SourceFile): Result<Layer> {
  const document = readClaudeJson(text, file.path)
  if (!document.ok) return document
  const { json, place, notes } = document.value
  const problems: Problem[] = []
  const reading = readingOf({ place, readMatcher: matcherReader(), problems, scope: {}, root: file.root })
  return good({
    rank: file.rank,
    file: file.path,
    trusted: file.trusted,
    packs: [],
    hooks: readClaudeHooks(json.hooks, reading),
    settings: {},
    problems: [...notes, ...problems],
  })
}
`
}

/** @param {string} id */
function testText(id) {
  return `import { sourceContract } from '../source.contract.ts'
import { source } from './source.ts'

const stop = (...handlers: readonly object[]) =>
  JSON.stringify({ hooks: { Stop: handlers.map((handler) => ({ hooks: [handler] })) } })

sourceContract({
  name: '${id}',
  source,
  good: ['{}', stop({ type: 'command', command: './check.sh' })],
  broken: [
    { text: '{', code: 'CONFIG_VALUE', line: 1 },
    { text: '\\n[]', code: 'CONFIG_VALUE', line: 2 },
  ],
  oneBadEntry: {
    text: stop({ type: 'what' }, { type: 'command', command: './check.sh' }),
    problem: { code: 'CONFIG_VALUE', line: 1, key: 'hooks.Stop[0].hooks[0].type' },
    packs: 0,
    hooks: 1,
  },
  wouldExecute: (marker) => stop({ type: 'command', command: \`touch \${marker}\` }),
})
`
}
