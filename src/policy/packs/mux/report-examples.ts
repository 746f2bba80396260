import type { EventExample } from '../../../core/guard.ts'

const SIGNAL = '/srv/project/tmp/mux/x/.signals/001.done'
const REPORT = '/srv/project/tmp/mux/x/research/001.md'
const WHOLE = '# Table of Contents\n- a\n## Executive Summary\n- b\n## Next Steps\n- c\n'
const SIGNALLED = signal(WHOLE.length)
const DONE = { [SIGNAL]: SIGNALLED, [REPORT]: WHOLE }
const ENFORCED = { enforce: true }

export const STOPS: readonly EventExample[] = [
  end('0', {}, ENFORCED),
  end('Done! I wrote the report.', DONE, ENFORCED),
  end('0.', DONE, { enforce: ['return'] }),
  end('0', { [REPORT]: WHOLE }, ENFORCED),
  end('0', { [SIGNAL]: SIGNALLED }, ENFORCED),
  end('0', { ...DONE, [SIGNAL]: signal(1) }, ENFORCED),
  end('0', { ...DONE, [SIGNAL]: SIGNALLED.replace(/size: .*/, 'size: many') }, ENFORCED),
  end('0', { ...DONE, [SIGNAL]: 'path: tmp/mux/x/research/001.md\nsi' }, ENFORCED),
  end('0', { ...DONE, [SIGNAL]: SIGNALLED.replace('success', 'maybe') }, ENFORCED),
  end('0', { ...DONE, [SIGNAL]: '{"path": ' }, ENFORCED),
  end('0', { [SIGNAL]: signal(6), [REPORT]: '# Hi\nx' }, ENFORCED),
  end('0', { ...DONE, [REPORT]: WHOLE.replace('## Next Steps', 'Next Steps') }, { enforce: ['report'] }),
]

export const PASSES: readonly EventExample[] = [
  end('0', DONE, ENFORCED),
  end('0\n', DONE, ENFORCED),
  end('0', { [SIGNAL]: SIGNALLED.replace('success', 'fail') }, ENFORCED),
  end('0', { ...DONE, [SIGNAL]: '{"path": "tmp/mux/x/research/001.md", "status": "success"}' }, ENFORCED),
  end('0', { ...DONE, [SIGNAL]: SIGNALLED.replace('tmp/', '/srv/project/tmp/') }, ENFORCED),
  end('Done! I wrote the report.', {}),
  end('0', {}),
  end('0.', DONE, { enforce: ['signal', 'report'] }),
  end('0', { [SIGNAL]: signal(6), [REPORT]: '# Hi\nx' }, { enforce: true, headings: ['Hi'] }),
  { kind: 'SubagentStop', fields: { agentId: 'a1', stopHookActive: false }, options: ENFORCED },
  {
    kind: 'PostToolUse',
    fields: { tool: { name: 'Bash', input: { command: 'npm test' } }, output: '' },
    options: ENFORCED,
  },
]

function signal(size: number): string {
  return `path: tmp/mux/x/research/001.md\nsize: ${size}\nstatus: success\ncreated_at: 2026-01-15T12:00:00Z\n`
}

function end(lastMessage: string, files: Readonly<Record<string, string>>, options = {}): EventExample {
  return {
    kind: 'SubagentStop',
    fields: { agentId: 'a1', agentType: 'researcher', stopHookActive: false, lastMessage },
    files,
    options,
    memory: { 'mux/signals': [SIGNAL] },
  }
}
