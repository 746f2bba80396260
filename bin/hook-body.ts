import { runHook } from '../src/commands/hook.ts'

// The hook's own file: no command-line library, no configuration parser, nothing but the short path. It is
// started by itself (`hook.cjs claude-code`) or through the command (`holdpoint hook claude-code`).
void runHook(process.argv.slice(process.argv[2] === 'hook' ? 3 : 2))
