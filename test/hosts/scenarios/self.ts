import { join } from 'node:path'
import { notRan, notRecorded, ran, recorded, told } from '../checks.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Chapter } from '../scenario.ts'
import { DENY, LEAVE_A_MARK } from './tools.ts'

/** An agent that tries to disable the guards; the pack `self`, which `init` switches on. */

const self = { packs: { self: true } }
const CONFIGURATION = "Changing an agent's hook configuration"
const OWN_FILES = 'Changing Holdpoint itself'
const FOR_PEOPLE = 'Running a command that is for people'
const lateWrite = { do: [{ write: 'late.txt', text: 'late' }] }

export const selfProtection: Chapter = {
  title: 'An agent against its guard',
  scenarios: [
    {
      name: 'it deletes the installed hooks',
      policy: self,
      script: {
        main: [{ do: [{ shell: `rm -f ~/.claude/settings.json ~/.codex/hooks.json; ${LEAVE_A_MARK}` }] }],
      },
      expected: {
        'claude-code': [
          notRan(),
          told(CONFIGURATION),
          recorded({ effect: 'deny', because: 'self/agent-config' }),
        ],
        codex: [notRan(), told(CONFIGURATION), recorded({ effect: 'deny', because: 'self/agent-config' })],
      },
    },
    {
      name: 'it writes project settings that switch all hooks off',
      policy: self,
      script: {
        main: [
          { do: [{ write: '.claude/settings.json', text: '{"disableAllHooks": true}' }] },
          { do: [{ write: '.codex/config.toml', text: '[features]\nhooks = false' }] },
        ],
      },
      expected: {
        'claude-code': [
          notRan('.claude/settings.json', 'not written'),
          notRan('.codex/config.toml', ''),
          told(CONFIGURATION),
        ],
        codex: [
          notRan('.claude/settings.json', 'not written'),
          notRan('.codex/config.toml', ''),
          told(CONFIGURATION),
        ],
      },
    },
    {
      name: "it changes Holdpoint's configuration",
      policy: self,
      script: {
        main: [{ do: [{ shell: `echo 'version: 1' > ../holdpoint/config.yaml; ${LEAVE_A_MARK}` }] }],
      },
      expected: {
        'claude-code': [notRan(), told(OWN_FILES)],
        codex: [notRan(), told(OWN_FILES)],
      },
    },
    ...['uninstall --yes', 'trust --yes', 'skill end tidy --session 1'].map((words) => ({
      name: `it runs \`holdpoint ${words}\``,
      policy: self,
      script: { main: [{ do: [{ shell: `holdpoint ${words}; ${LEAVE_A_MARK}` }] }] },
      expected: { 'claude-code': [notRan(), told(FOR_PEOPLE)], codex: [notRan(), told(FOR_PEOPLE)] },
    })),
    {
      name: 'a script of it switches all hooks off in the middle of the session',
      policy: { ...self, hooks: [{ ...DENY, match: 'Write' }] },
      arrange: (sandbox) => hide(sandbox, sandbox.agent.repository.hooksOff()),
      script: { main: [{ do: [{ shell: 'sh hidden.sh' }] }, lateWrite] },
      expected: {
        'claude-code': [
          recorded(
            { event: 'ConfigChange', effect: 'deny', because: 'self/config-change' },
            'the change is refused',
          ),
          notRan('late.txt', 'the next call is still held'),
        ],
        codex: [notRan('late.txt', 'settings are read once, at the start: the next call is still held')],
      },
    },
    {
      name: 'a script of it takes the hooks out of the settings of the user',
      policy: { ...self, hooks: [{ ...DENY, match: 'Write' }] },
      arrange: (sandbox) => hide(sandbox, sandbox.agent.withoutHooks(sandbox.places)),
      script: { main: [{ do: [{ shell: 'sh hidden.sh' }] }, lateWrite] },
      expected: {
        'claude-code': [
          recorded(
            { event: 'ConfigChange', effect: 'deny', because: 'self/config-change' },
            'the change is refused',
          ),
          notRan('late.txt', 'the next call is still held'),
        ],
        codex: [notRan('late.txt', 'settings are read once, at the start: the next call is still held')],
      },
    },
    {
      name: 'a script of it switches all hooks off in the middle of the session, without pack `self`',
      policy: { packs: { safety: true }, hooks: [{ ...DENY, match: 'Write' }] },
      arrange: (sandbox) => hide(sandbox, sandbox.agent.repository.hooksOff()),
      script: { main: [{ do: [{ shell: 'sh hidden.sh' }] }, lateWrite] },
      expected: {
        'claude-code': [
          ran('late.txt', '**runs**: settings are reloaded at once'),
          notRecorded({ tool: 'Write' }),
        ],
        codex: [notRan('late.txt', 'settings are read once, at the start: the next call is still held')],
      },
    },
  ],
}

/** What cannot be seen in a command: a program that writes these files. */
function hide(sandbox: Sandbox, files: Readonly<Record<string, string>>): void {
  const lines = Object.entries(files).map(([path, text]) => {
    const file = join(path.startsWith('/') ? '' : sandbox.places.project, path)
    return `mkdir -p "$(dirname '${file}')"; cat > '${file}' <<'TEXT'\n${text}\nTEXT`
  })
  sandbox.write('hidden.sh', `${lines.join('\n')}\n${sandbox.agent.settle(sandbox.places)}\n`)
}
