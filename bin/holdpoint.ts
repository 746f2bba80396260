// argv to command. `hook` takes the short path: a process per tool call must not load what it does not need.
const asksForHelp = process.argv.includes('--help') || process.argv.includes('-h')
if (process.argv[2] === 'hook' && !asksForHelp) void import('./hook.ts')
else void import('../src/commands/main.ts').then(({ main }) => main(process.argv))
