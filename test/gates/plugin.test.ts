import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { installer } from '../../src/hosts/claude-code/install.ts'
import { generatedFiles } from '../../src/tools/generated.ts'
import { readText, repositoryFiles } from './tree.ts'

/** The Claude Code plugin says what the package says. Another gate checks that its generated files are up to date. */

const ROOT = join(import.meta.dirname, '..', '..')
const read = (path: string) => JSON.parse(readText(path))
const BY_HAND = ['README.md', 'bin/holdpoint', 'bin/holdpoint-hook', 'commands/why.md']

test('the plugin has the version of the package', () => {
  expect(read('plugin/.claude-plugin/plugin.json').version).toBe(read('package.json').version)
})

test('the marketplace contains the plugin', () => {
  const { plugins } = read('.claude-plugin/marketplace.json')
  expect(plugins).toHaveLength(1)
  expect(read(`${plugins[0].source}/.claude-plugin/plugin.json`).name).toBe(plugins[0].name)
})

test('the plugin contains generated files and files written by hand, and nothing else', async () => {
  const generated = [...(await generatedFiles()).keys()].filter((path) => path.startsWith('plugin/'))
  const files = repositoryFiles().filter((path) => path.startsWith('plugin/'))
  expect([...files].sort()).toEqual([...generated, ...BY_HAND.map((path) => `plugin/${path}`)].sort())
})

test('the programs of the plugin can be started', () => {
  for (const name of ['holdpoint', 'holdpoint-hook']) {
    expect(statSync(join(ROOT, 'plugin', 'bin', name)).mode & 0o111).toBe(0o111)
    expect(readText(`plugin/bin/${name}`)).toMatch(/^#!\/bin\/sh\n/)
  }
})

test('the command of the plugin passes nothing that the user types to a shell', () => {
  const text = readText('plugin/commands/why.md')
  expect(text.match(/!`[^`]*`/g)).toEqual([
    ['!`"$', '{CLAUDE_PLUGIN_ROOT}/bin/holdpoint" explain --last --session $', '{CLAUDE_SESSION_ID}`'].join(
      '',
    ),
  ])
  expect(text).not.toMatch(/\$ARGUMENTS|\$\d/)
})

describe('the hooks of the plugin are the same as those of `init`', () => {
  const { hooks } = read('plugin/hooks/hooks.json')
  const settings = installer.install(undefined, {
    command: '/h/holdpoint-hook',
    home: '/h',
    version: '2.1.325',
  })
  const installed = JSON.parse(settings.ok ? settings.value : '{}').hooks

  test('for the same events', () => {
    expect(Object.keys(hooks)).toEqual(Object.keys(installed))
  })

  test.each(Object.keys(installed))('with the same options, timeout and failure policy at %s', (event) => {
    const [[own], [theirs]] = [hooks[event], installed[event]].map(([group]) => group.hooks)
    const { command: _own, args, ...rest } = own
    const { command: _theirs, args: theirArgs, ...theirRest } = theirs
    expect(rest).toEqual(theirRest)
    expect(args.slice(2)).toEqual([
      ...theirArgs.filter((word: string) => word !== '--home' && word !== '/h'),
      '--via',
      'plugin',
    ])
  })
})
