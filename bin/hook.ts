import './check-node.ts'
import { loadPrograms } from './load-programs.ts'

// The one-shot hook: started by the native client when there is no daemon, and for each event where there is no client.
try {
  void loadPrograms('hook').hook(process.argv.slice(2))
} catch (error) {
  // Half an installation must stop what it cannot judge, like any other fault.
  process.stderr.write(`holdpoint: the hook cannot start: ${String(error)} Run: npx holdpoint init\n`)
  process.exit(2)
}
