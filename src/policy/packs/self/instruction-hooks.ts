import type { EventExample, Guard } from '../../../core/guard.ts'
import { instructionWrites, writtenInstructions } from '../../analysis/instruction-writes.ts'
import { bringsHooks, frontMatter } from '../../analysis/instructions.ts'
import { PATH_CHANGES } from '../../analysis/topics.ts'

/** Hooks in the front matter of a skill or an agent are hook configuration, and start programs that no hook checks. */
export const instructionHooks: Guard = {
  id: 'self/instruction-hooks',
  title: 'Writing hooks into a skill, a command or an agent',
  why: 'The agent runs such hooks without asking anybody, so only a person may write them.',
  instead: 'write the instructions without `hooks` and `mcpServers`, and let the user add those.',
  on: ['PreToolUse'],
  match: '*',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  topics: [PATH_CHANGES],
  concerns: (event, facts) => writtenInstructions(event, facts).some(({ kind }) => kind === 'markdown'),
  examples: {
    stops: [
      write('.claude/skills/tidy/SKILL.md', HOOKS('tidy')),
      write('.claude/agents/worker.md', HOOKS('worker')),
      write('.claude/commands/team/go.md', HOOKS('go')),
      write('/home/dev/.claude/skills/tidy/SKILL.md', HOOKS('tidy')),
      write('.claude/agents/w.md', '---\nname: w\nmcpServers:\n  x: { command: sh }\n---\n'),
      write('.claude/skills/t/SKILL.md', '---\n{ name: t, hooks: { Stop: [] } }\n---\n'),
      write('.claude/skills/t/SKILL.md', '---\n"\\x68ooks": { Stop: [] }\n---\n'),
      write('.claude/skills/t/SKILL.md', '---\n? hooks\n: { Stop: [] }\n---\n'),
      write('.claude/skills/t/SKILL.md', '\uFEFF---\r\nname: t\r\nhooks: {}\r\n---\r\n'),
      {
        tool: 'apply_patch',
        input: {
          command:
            '*** Begin Patch\n*** Add File: .claude/agents/w.md\n+---\n+name: w\n+hooks:\n+  Stop: []\n+---\n*** End Patch',
        },
      },
      edit('---\nname: tidy\n---\nTidy.\n', 'name: tidy', 'name: tidy\nhooks: { Stop: [] }'),
      edit(HOOKS('tidy'), 'exit 0', 'exit 1'),
      { tool: 'mcp__fs__write_file', input: { path: '.claude/agents/w.md', content: HOOKS('w') } },
      bash("cat > .claude/agents/w.md <<'EOF'\n---\nname: w\nhooks:\n  Stop: []\n---\nEOF\n"),
      bash("printf '%s\\n' --- 'hooks: {}' --- > .claude/agents/w.md"),
      bash('cp draft.md .claude/agents/w.md', { '/srv/project/draft.md': HOOKS('w') }),
      bash('mv draft.md .claude/skills/w/SKILL.md', { '/srv/project/draft.md': HOOKS('w') }),
    ],
    passes: [
      write('.claude/skills/tidy/SKILL.md', '---\nname: tidy\ndescription: Tidies.\n---\nTidy up.\n'),
      write(
        '.claude/skills/tidy/SKILL.md',
        '---\nname: tidy\n---\nExplain what `hooks:` does.\nhooks: none\n',
      ),
      write('.claude/agents/worker.md', 'No front matter.\nhooks: none\n'),
      write('docs/hooks.md', HOOKS('docs')),
      write('.claude/skills/tidy/reference.txt', HOOKS('x')),
      edit(HOOKS('tidy'), 'Tidy up.', 'Tidy up well.'),
      bash('cp draft.md .claude/agents/w.md', { '/srv/project/draft.md': '---\nname: w\n---\n' }),
      bash('cat .claude/agents/w.md', { '/srv/project/.claude/agents/w.md': HOOKS('w') }),
      bash('rm .claude/agents/w.md', { '/srv/project/.claude/agents/w.md': HOOKS('w') }),
      { tool: 'Read', input: { file_path: '.claude/skills/tidy/SKILL.md' } },
    ],
  },
  async check({ event, facts }) {
    for (const { path, kind, text, before, isWhole } of await instructionWrites(event, facts)) {
      if (kind !== 'markdown') continue
      const now = isWhole ? frontMatter(text) : text
      const was = frontMatter(before)
      if (!brings(now, isWhole) || (isWhole && hooksIn(now) === hooksIn(was))) continue
      return { caught: `writes hooks into ${path}`, fragment: 'hooks' }
    }
    return null
  },
}

/** Of a part of a file it is not known where its front matter is. */
function brings(text: string, isWhole: boolean): boolean {
  return isWhole
    ? bringsHooks(text)
    : /(?:^|["'{,?\n])[ \t]*(?:hooks|mcpServers)["']?[ \t]*:/.test(text) && /---/.test(text)
}

/** From the key on: an edit of the description beside it changes no hook. */
function hooksIn(front: string): string {
  if (!bringsHooks(front)) return ''
  const at = front.search(/hooks|mcpServers|\\|<<|^[ \t]*[!&]/m)
  return front.slice(Math.max(0, at))
}

function HOOKS(name: string): string {
  const hook = 'hooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: exit 0\n'
  return `---\nname: ${name}\n${hook}---\nTidy up.\n`
}

function write(path: string, content: string) {
  return { tool: 'Write', input: { file_path: path, content } }
}

function edit(before: string, old: string, by: string): EventExample {
  const file = '/srv/project/.claude/skills/tidy/SKILL.md'
  const tool = { name: 'Edit', input: { file_path: file, old_string: old, new_string: by } }
  return { kind: 'PreToolUse', fields: { tool }, files: { [file]: before } }
}

function bash(command: string, files: Readonly<Record<string, string>> = {}): EventExample {
  return { kind: 'PreToolUse', fields: { tool: { name: 'Bash', input: { command } } }, files }
}
