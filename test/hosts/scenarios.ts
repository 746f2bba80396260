import type { Chapter } from './scenario.ts'
import { attacks } from './scenarios/attacks.ts'
import { collective } from './scenarios/collective.ts'
import { context } from './scenarios/context.ts'
import { failures } from './scenarios/failures.ts'
import { frontmatter } from './scenarios/frontmatter.ts'
import { installation } from './scenarios/installation.ts'
import { mcp } from './scenarios/mcp.ts'
import { mux } from './scenarios/mux.ts'
import { scratchpad } from './scenarios/scratchpad.ts'
import { selfProtection } from './scenarios/self.ts'
import { skills } from './scenarios/skills.ts'
import { stops } from './scenarios/stops.ts'
import { subagents } from './scenarios/subagents.ts'
import { tools } from './scenarios/tools.ts'

/** All chapters, in the order of the page. */
export const chapters: readonly Chapter[] = [
  tools,
  context,
  stops,
  scratchpad,
  collective,
  subagents,
  skills,
  frontmatter,
  mux,
  failures,
  attacks,
  selfProtection,
  mcp,
  installation,
]
