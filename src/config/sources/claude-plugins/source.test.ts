import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { sourceContract } from '../source.contract.ts'
import { source } from './source.ts'

const HOOKS = {
  description: 'what it is for',
  hooks: {
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [{ type: 'command', command: '${CLAUDE_PLUGIN_ROOT}/x.sh', timeout: 10 }],
      },
    ],
  },
}

sourceContract({
  name: 'claude-plugins',
  source,
  good: ['{}', JSON.stringify(HOOKS, null, 2)],
  broken: [
    { text: '{', code: 'CONFIG_VALUE', line: 1 },
    { text: '\n[]', code: 'CONFIG_VALUE', line: 2 },
  ],
  oneBadEntry: {
    text: '{"hooks": {"Stop": [\n{"hooks": [{"type": "what"}]},\n{"hooks": [{"type": "command", "command": "./x"}]}]}}',
    problem: { code: 'CONFIG_VALUE', line: 2, key: 'hooks.Stop[0].hooks[0].type' },
    packs: 0,
    hooks: 1,
  },
  wouldExecute: (marker) =>
    `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "touch ${marker}"}]}]}}`,
})

describe("the plugin's folder", () => {
  const runIn = (root: string, handler: object) => {
    const text = JSON.stringify({ hooks: { Stop: [{ hooks: [handler] }] } })
    const result = source.parse(text, {
      path: `${root}/hooks/hooks.json`,
      rank: 'plugin',
      trusted: true,
      root,
    })
    return result.ok ? result.value.hooks[0]?.run : undefined
  }

  test.each(['/plugins/plain/1.0.0', "/plugins/it's $(touch x) `here`/1.0", '/plugins/$&/$1'])(
    '%s is in the command and in its environment',
    (root) => {
      const command = 'echo "${CLAUDE_PLUGIN_ROOT}" "$CLAUDE_PLUGIN_ROOT"'
      const run = runIn(root, { type: 'command', command })
      const said = execFileSync('/bin/sh', ['-c', String(run?.command)], { encoding: 'utf8' })
      expect(said).toBe(`${root} ${root}\n`)
      const args = ['-c', 'echo "$0" "$CLAUDE_PLUGIN_ROOT"', '${CLAUDE_PLUGIN_ROOT}']
      const exec = runIn(root, { type: 'command', command: 'sh', args })
      const words = Array.isArray(exec?.args) ? exec.args.map(String) : []
      expect(execFileSync(String(exec?.command), words, { encoding: 'utf8' })).toBe(`${root} ${root}\n`)
    },
  )

  test('an HTTP hook does not need the folder', () => {
    const http = { type: 'http', url: 'http://127.0.0.1:1/x' }
    expect(runIn('/plugins/a', http)).toEqual(http)
  })
})

describe('finding plugins', () => {
  const installed = {
    version: 2,
    plugins: {
      'on@m': [{ scope: 'user', installPath: '/plugins/on/1.0/' }],
      'off@m': [{ scope: 'user', installPath: '/plugins/off/1.0' }],
      'local@m': [
        { scope: 'local', projectPath: '/elsewhere', installPath: '/plugins/local/1' },
        { scope: 'user', installPath: '/plugins/local/2' },
        { scope: 'project', projectPath: '/p', installPath: '/plugins/local/3' },
      ],
      'other@m': [{ scope: 'local', projectPath: '/elsewhere', installPath: '/plugins/other' }],
      'old@m': { installPath: '/plugins/old' },
      'wrong@m': [{ installPath: 'relative' }],
      'asked@m': { installPath: '/plugins/asked' },
    },
  }
  const all = {
    enabledPlugins: Object.fromEntries(
      Object.keys(installed.plugins)
        .filter((name) => name !== 'asked@m')
        .map((name) => [name, true]),
    ),
  }
  const files: Record<string, unknown> = {
    '/home/me/.claude/plugins/installed_plugins.json': installed,
    '/home/me/.claude/settings.json': all,
    '/p/.claude/settings.json': { enabledPlugins: { 'on@m': false, 'asked@m': true, 'unknown@m': true } },
    '/etc/claude-code/managed-settings.json': { enabledPlugins: { 'off@m': false } },
    '/plugins/old/.claude-plugin/plugin.json': {
      hooks: ['./more/x.json', '../../etc/y.json', 'more/*.json', 'a\0b'],
    },
    '/plugins/on/1.0/.claude-plugin/plugin.json': { hooks: { Stop: [] } },
  }
  const findIn = (given: Record<string, unknown>) =>
    source.finds?.({ project: '/p', home: '/home/me' }, (path) => {
      const value = given[path]
      return value === undefined || typeof value === 'string' ? value : JSON.stringify(value)
    })

  test('finds plugins that are installed and enabled here, with their manifest files; a project cannot disable one', () => {
    expect(findIn(files)?.map(({ folder, name, root }) => `${folder}/${name} in ${root}`)).toEqual([
      '/plugins/on/1.0/hooks/hooks.json in /plugins/on/1.0',
      '/plugins/on/1.0/.claude-plugin/plugin.json in /plugins/on/1.0',
      '/plugins/local/3/hooks/hooks.json in /plugins/local/3',
      '/plugins/old/hooks/hooks.json in /plugins/old',
      '/plugins/old/more/x.json in /plugins/old',
      '/plugins/asked/hooks/hooks.json in /plugins/asked',
    ])
    expect(findIn(files)?.every((find) => find.rank === 'plugin' && find.exceptHost === 'claude-code')).toBe(
      true,
    )
  })

  test.each([undefined, '', '{', '[]', '{"plugins": []}', '{"plugins": {"on@m": 7}}'])(
    'an installed list of %j has no plugins',
    (text) => {
      expect(findIn({ ...files, '/home/me/.claude/plugins/installed_plugins.json': text })).toEqual([])
    },
  )
})
