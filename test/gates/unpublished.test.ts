import { describe, expect, test } from 'vitest'
import { readText, repositoryFiles } from './tree.ts'

/** Until the package is on the npm registry, no page may tell anybody to install it from there. */
const WORDS = /not on the npm\s+registry yet/
/** The program of an install command, up to the name of a package as a registry has it. */
const FROM_REGISTRY =
  /\b(?:(?:npm|pnpm|yarn|bun) (?:install|i|add)|pip install)(?: +-[^\s`]+)*(?: +[^\s`&|;-][^\s`&|;]*)*? +(?:holdpoint|@holdpoint\/[a-z]+)(?![\w./*-])/g

/** What a page says in code, inline or in blocks. */
function fromRegistry(page: string): readonly string[] {
  const code = [...page.matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].flatMap(([text]) => text.split('\n'))
  return code.flatMap((line) => line.match(FROM_REGISTRY) ?? [])
}

const HISTORY = ['CHANGELOG.md', 'RELEASING.md']
const pages = repositoryFiles().filter(
  (path) => path.endsWith('.md') && !/\/fixtures\/|^docs\/guards\//.test(path) && !HISTORY.includes(path),
)

test('pages install the package from where it is', () => {
  const isPublished = !WORDS.test(readText('README.md'))
  const wrong = pages.flatMap((path) => {
    const page = readText(path)
    if (isPublished) return WORDS.test(page) ? [`${path} says that the package is not on the registry`] : []
    return fromRegistry(page).map((command) => `${path}: ${command}`)
  })
  expect(wrong).toEqual([])
})

test('README says it before its first command of npx', () => {
  const readme = readText('README.md')
  if (!WORDS.test(readme)) return
  expect(readme.search(WORDS)).toBeLessThan(readme.indexOf('```bash\nnpx'))
})

describe('an install command', () => {
  test.each([
    '`npm install holdpoint`',
    '```bash\nnpm install --global holdpoint\n```',
    '`npm i -g holdpoint @holdpoint/fleet`',
    '`npm install zod holdpoint`',
    '`pip install holdpoint`',
  ])('from the registry is found: %j', (page) => expect(fromRegistry(page)).toHaveLength(1))

  test.each([
    '`npm install ./holdpoint-*.tgz`',
    '`npm install -g ./holdpoint-*.tgz`',
    '`pip install node_modules/holdpoint/python`',
    '`npx holdpoint init`',
    'npm install holdpoint',
    '`npm install && npx holdpoint init`',
  ])('of another kind is not: %j', (page) => expect(fromRegistry(page)).toEqual([]))
})
