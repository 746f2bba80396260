import { defineGuard } from 'holdpoint'
import { analyze } from 'holdpoint/shell'
import { OPTIONS } from './options.ts'

/** A guard of shell commands: `analyze` finds `git push` in every form, also inside `bash -c`, `sudo` and scripts. */
export const pushToMain = defineGuard({
  id: 'acme/push-to-main',
  title: 'Push to a protected branch',
  why: 'At Acme every change of main is a pull request.',
  instead: 'push a branch of your own, such as `git push origin HEAD:my-change`, and open a pull request.',
  on: ['PreToolUse'],
  match: 'Bash',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  // The first call starts a process, which takes seconds on a busy machine.
  timeoutMs: 20_000,
  options: OPTIONS,
  examples: {
    stops: [
      'git push origin main',
      'git push origin HEAD:main',
      'git push origin feature:refs/heads/main',
      'git push -u origin main',
      'git -C ../other push origin main',
      '/usr/bin/git push origin main',
      'npm test && git push origin main',
      'B=main; git push origin $B',
    ],
    passes: [
      'git push origin feature',
      'git push origin main:feature',
      'git push -u origin HEAD',
      'git pull origin main',
      'git fetch origin main',
      'git log origin/main',
      'git push origin maintenance',
      'npm run push main',
    ],
  },
  check({ event, facts, options }) {
    const command = 'tool' in event ? event.tool.input.command : undefined
    if (typeof command !== 'string') return null
    const found = analyze(command, { cwd: facts.cwd, home: facts.home })
    if (!found.readable) {
      return /push/.test(command) ? { caught: 'may push to a protected branch', unsure: found.why } : null
    }
    for (const { program, text, fragment } of found.commands) {
      const words = text.split(/\s+/)
      if (program !== 'git' || !words.includes('push')) continue
      const targets = words.map((word) => (word.split(':').at(-1) ?? '').replace(/^refs\/heads\//, ''))
      const branch = options.branches.find((each) => targets.includes(each))
      if (branch !== undefined) return { caught: `changes ${branch} without a review`, fragment }
    }
    return null
  },
})
