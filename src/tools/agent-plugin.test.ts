import { expect, it } from 'vitest'
import { AGENT_PLUGIN_LAUNCHER, agentPluginFiles } from './agent-plugin.ts'

it('is one folder for both standards', async () => {
  const files = await agentPluginFiles({
    ...{ version: '1.2.3', license: 'MIT', launcher: '#!/bin/sh\n' },
    skills: { 'mux/SKILL.md': '---\nname: mux\n---\n' },
  })
  expect(Object.keys(files)).toEqual([
    'plugin.json',
    'hooks/hooks.json',
    AGENT_PLUGIN_LAUNCHER,
    'skills/mux/SKILL.md',
  ])
  expect(JSON.parse(files['plugin.json'] ?? '')).toMatchObject({ name: 'holdpoint', version: '1.2.3' })
  const { hooks } = JSON.parse(files['hooks/hooks.json'] ?? '')
  expect(Object.keys(hooks)).toContain('PreToolUse')
  const [{ command, timeout }] = hooks.PreToolUse[0].hooks
  expect(command).toMatch(
    /^"\$\{PLUGIN_ROOT\}\/bin\/holdpoint-hook" --data "\$\{PLUGIN_ROOT\}" 'goose'.*exit 2; \}$/,
  )
  expect(command).not.toContain('--home')
  expect(timeout).toBe(30)
})
