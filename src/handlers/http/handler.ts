import type { Answer, Failure } from '../../core/decision.ts'
import type { Event } from '../../core/event.ts'
import type { Handler, HandlerCall } from '../../core/handler.ts'
import { isObject } from '../../core/json.ts'
import { readAnswer } from '../read-answer.ts'
import { asMatched, PROTOCOLS, type Protocol, spellEvent } from '../spelling.ts'
import { fillHeaders } from './headers.ts'
import { post, type Response } from './post.ts'
import { type HttpTarget, readTarget } from './target.ts'

/**
 * Calls a web address: the event as JSON in a POST, the answer from the body. Only a 2xx response with a JSON object is
 * an answer; everything else is a failure of the hook. An empty body is not an answer either: a proxy may send
 * "200" as well, and a server without an opinion can send `{}`.
 */
export function create(): Handler {
  return {
    type: 'http',
    prepare(hook) {
      const target = readTarget(hook.run)
      if (!target.ok) return { failure: 'import', message: target.problem.message }
      const { shown } = target.value
      if (!hook.trusted)
        return { failure: 'untrusted', message: `to review ${shown}, run \`holdpoint trust\`` }
      const protocol = PROTOCOLS.find((known) => known === hook.run.protocol) ?? 'claude'
      return (call) => ask(target.value, protocol, asMatched(call.event, hook.match), call)
    },
  }
}

async function ask(
  target: HttpTarget,
  protocol: Protocol,
  event: Event,
  call: HandlerCall,
): Promise<Answer | Failure | null> {
  const response = await post({
    url: target.url,
    headers: fillHeaders(target, call.facts.env),
    body: JSON.stringify(spellEvent(event, call.actor, protocol, call.facts.now())),
    signal: call.signal,
  })
  const outcome = 'failure' in response ? response : readResponse(response, protocol)
  return outcome !== null && 'failure' in outcome
    ? { failure: outcome.failure, message: `${target.shown} ${outcome.message}` }
    : outcome
}

function readResponse(
  { status, encoding, location, text }: Response,
  protocol: Protocol,
): Answer | Failure | null {
  if (status >= 300 && status < 400) {
    const where = location === undefined ? '' : ` to ${JSON.stringify(location.slice(0, 100))}`
    return { failure: 'crash', message: `sent a redirect (${status})${where}, which is not followed` }
  }
  if (status < 200 || status > 299) return { failure: 'crash', message: `answered with status ${status}` }
  if (encoding !== 'identity') {
    return { failure: 'invalidOutput', message: 'compressed its answer although it was asked not to' }
  }
  if (text.trim() === '') {
    return { failure: 'invalidOutput', message: `sent no body (${status}); no opinion is \`{}\`` }
  }
  const value = parse(text)
  if (isObject(value)) return readAnswer(value, { kind: 'program', protocol })
  const seen = JSON.stringify(text.trim().slice(0, 60))
  return { failure: 'invalidOutput', message: `sent something that is not a JSON object: ${seen}` }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
