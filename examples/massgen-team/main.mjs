// A team of three agents and its hooks: some from MassGen's configuration, some from code. Prints what was decided.
// From a clone: npm ci && npm run build && node examples/massgen-team/main.mjs
import {
  FunctionHookManager,
  GeneralHookManager,
  HighPriorityTaskReminderHook,
  HookResult,
  HookType,
  HumanInputHook,
  HumanInputQueue,
  RoundTimeout,
} from 'holdpoint/massgen'

const { PRE_TOOL_USE, POST_TOOL_USE, PRE_CALL } = HookType

const hooks = new GeneralHookManager({
  cwd: import.meta.dirname,
  // What team.yaml calls by name.
  handlers: {
    'team.onlyVote': ({ tool_name: tool }) =>
      tool === 'vote' ? null : HookResult.deny('The judge only votes.'),
    'team.addHeader': async ({ tool_input: input }) => ({
      updated_input: { ...input, content: `# Made by builder\n${input.content}` },
    }),
    'team.rememberSource': ({ tool_name: tool }) =>
      HookResult.allow({ inject: { content: `Cite ${tool} when you use this.`, strategy: 'tool_result' } }),
  },
})
for (const problem of await hooks.loadConfigFile('team.yaml')) console.log(problem.message)

// A permission hook from before there were events: taken over as it is.
const permissions = new FunctionHookManager()
const keepMain = (_tool, args) => !args.includes('/srv/project/main')
permissions.registerHook('delete_file', PRE_CALL, keepMain)
hooks.adopt(permissions)

const people = new HumanInputQueue()
const round = new RoundTimeout({ softSeconds: 600 })
hooks.registerGlobalHook(PRE_TOOL_USE, round.pre)
hooks.registerGlobalHook(POST_TOOL_USE, round.post)
hooks.registerGlobalHook(POST_TOOL_USE, new HighPriorityTaskReminderHook())
hooks.registerGlobalHook(POST_TOOL_USE, new HumanInputHook(people))

async function shows(agent, type, tool, input, output = null) {
  const result = await hooks.executeHooks(type, {
    session_id: 'demo',
    orchestrator_id: 'team',
    agent_id: agent,
    tool_name: tool,
    tool_input: input,
    tool_output: output,
  })
  const when = type === PRE_TOOL_USE ? 'before' : 'after '
  console.log(
    `${agent.padEnd(10)} ${when} ${tool.padEnd(30)} ${result.decision}${result.reason ? `: ${result.reason}` : ''}`,
  )
  if (result.updated_input !== null) console.log(`  runs with ${JSON.stringify(result.updated_input)}`)
  const { tool_result = [], user_message = [] } = result.inject?.by_strategy ?? {
    [result.inject?.strategy ?? 'none']: [result.inject?.content],
  }
  for (const text of tool_result) console.log(`  after the result: ${text}`)
  for (const text of user_message) console.log(`  as a message: ${text}`)
  for (const error of result.hook_errors) console.log(`  could not answer: ${error}`)
}

const before = (agent, tool, input) => shows(agent, PRE_TOOL_USE, tool, input)
const after = (agent, tool, output) => shows(agent, POST_TOOL_USE, tool, {}, output)

await before('researcher', 'Bash', { command: 'ls notes' })
await before('builder', 'Bash', { command: 'curl -s https://example.com' })
await before('researcher', 'Write', { file_path: 'src/main.ts', content: 'x' })
await before('researcher', 'Write', { file_path: 'notes/today.md', content: 'x' })
await before('builder', 'Write', { file_path: 'src/main.ts', content: 'export {}' })
await before('builder', 'buy_credits', { dollars: 20 })
await before('builder', 'delete_file', { path: '/srv/project/main' })
await before('judge', 'Bash', { command: 'curl -s https://example.com' })
await before('judge', 'vote', { for: 'builder' })
people.add('Use the second draft.', ['builder'])
await after('researcher', 'mcp__library__search', 'three papers')
await after(
  'builder',
  'mcp__tasks__update_task_status',
  JSON.stringify({ task: { id: 't1', priority: 'high', status: 'completed' } }),
)
await after('judge', 'mcp__library__search', 'nothing is added here')
