import { connectionOf } from '../files/connections.ts'
import type { Redirection, SimpleCommand } from '../vocabulary/command.ts'
import { namedFiles } from '../vocabulary/effect.ts'
import { exactText } from '../words/words.ts'
import { type Channel, contentsOf, type DataOrigin, type FlowState, together } from './flow-state.ts'
import { printedTogether, wordOrigins } from './text.ts'

/** What a command reads on standard input. */
export function inputOrigins(command: SimpleCommand, scene: FlowState): readonly DataOrigin[] {
  const own = command.redirections.findLast(
    (each) => each.operator.startsWith('<') && ['', '0'].includes(descriptorOf(command, each)),
  )
  if (own !== undefined) return channelOf(own, command, scene).origins
  if (command.inputs !== undefined && command.inputs.length > 0) return printedTogether(command.inputs, scene)
  const around = groupsAround(command, scene).map(([group, each]) => channelOf(each, group, scene).origins)
  return together(...around, scene.channels.get('0')?.origins ?? [])
}

/** Everything a command's standard output is redirected to. */
export function outputChannels(command: SimpleCommand, scene: FlowState): readonly Channel[] {
  const isOutput = (owner: SimpleCommand, each: Redirection) =>
    /^&?>|^<>/.test(each.operator) && !/^[02]$/.test(descriptorOf(owner, each))
  const own = command.redirections.filter((each) => isOutput(command, each))
  const around = groupsAround(command, scene, '>').filter(([group, each]) => isOutput(group, each))
  const standard = scene.channels.get('1')
  return [
    ...(standard === undefined ? [] : [standard]),
    ...own.map((each) => channelOf(each, command, scene)),
    ...around.map(([group, each]) => channelOf(each, group, scene)),
  ]
}

/** Remembers the descriptors a command leaves open: `exec 3<>/dev/tcp/…`, `{ …; } 3>f`, `{name}>f`. */
export function openChannels(command: SimpleCommand, scene: FlowState): void {
  for (const each of command.redirections) {
    const name = descriptorOf(command, each)
    if (name === '') {
      if (command.name === 'exec')
        scene.channels.set(each.operator.startsWith('<') ? '0' : '1', channelOf(each, command, scene))
    } else if (exactText(each.target) === '-') scene.channels.delete(name)
    else scene.channels.set(name, channelOf(each, command, scene))
  }
}

function channelOf(redirection: Redirection, command: SimpleCommand, scene: FlowState): Channel {
  const { operator, target } = redirection
  if (operator.startsWith('<<')) return { origins: wordOrigins([target], command, scene) }
  const copied = operator.endsWith('&') ? openChannel(target, scene) : undefined
  if (copied !== undefined) return copied
  const substituted = wordOrigins([target], command, scene)
  const [file] = namedFiles(target, command.cwd)
  if (file === undefined || /^[<>]\(/.test(target.source)) return { origins: substituted }
  const network = connectionOf(file, scene.home)
  if (network !== undefined) return { origins: [{ kind: 'network', host: network.host }], network }
  return { origins: together(contentsOf(file, scene), substituted), file }
}

function openChannel(target: Redirection['target'], scene: FlowState): Channel | undefined {
  const number = exactText(target)
  const name = /^\$\{?(\w+)/.exec(number ?? target.source.replaceAll('"', ''))?.[1] ?? number
  const known = name === undefined ? undefined : scene.channels.get(name)
  if (known !== undefined || !target.source.includes('[')) return known
  // `${JOB[0]}`: what a coprocess prints.
  const jobs = scene.commands.filter((each) => each.via.some((how) => how.startsWith('coproc')))
  return jobs.length === 0 ? undefined : { origins: printedTogether(jobs, scene) }
}

/** The number or name before the operator, found where the command is written: `3<>`, `{sock}>`. */
function descriptorOf(command: SimpleCommand, { operator, target }: Redirection): string {
  const at = command.fragment.indexOf(target.source)
  if (at < 0 || target.source === '') return ''
  const before = command.fragment.slice(0, at).trimEnd()
  if (!before.endsWith(operator)) return ''
  return (
    /(?:^|[\s;&|(])(?:(\d+)|\{(\w+)\})$/.exec(before.slice(0, -operator.length))?.slice(1).find(Boolean) ?? ''
  )
}

/** Nobody nests more; and where a group ends is not known here, so the nearest are the likeliest. */
const GROUPS_MAX = 4

/** Redirections of groups around the command, which stand before it as commands without a name. */
function groupsAround(
  command: SimpleCommand,
  scene: FlowState,
  direction: '<' | '>' = '<',
): readonly (readonly [SimpleCommand, Redirection])[] {
  const found: (readonly [SimpleCommand, Redirection])[] = []
  for (const group of scene.groups.toReversed()) {
    scene.budget.left -= 1
    if (found.length >= GROUPS_MAX) break
    if (!scene.outputs.has(group) || group === command) continue
    if (!group.via.every((how, index) => command.via[index] === how)) continue
    const taken = group.redirections.filter((each) => each.operator.includes(direction))
    found.unshift(...taken.map((each) => [group, each] as const))
  }
  return found
}

/** A command without a name that only redirects is a group, whose commands follow it. */
export function isGroup(command: SimpleCommand): boolean {
  return command.name === '' && command.assignments.length === 0
}
