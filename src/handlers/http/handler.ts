import type { Answer, Failure } from '../../decision.ts'
import { isObject } from '../../json.ts'
import { readAnswer } from '../answer.ts'
import type { Call, Handler } from '../handler.ts'
import { PROTOCOLS, type Protocol, spellEvent } from '../spelling.ts'
import { fillHeaders } from './headers.ts'
import { post, type Response } from './post.ts'
import { readTarget, type Target } from './target.ts'

/**
 * Asks a web address: the event as JSON in a POST, the answer from the body. Only a 2xx with a JSON object is an
 * answer; everything else is a failure of the hook. An empty body is no answer either: a proxy in between says
 * "200" as well, and a judge with no opinion can say `{}`.
 */
export function create(): Handler {
  return {
    type: 'http',
    prepare(hook) {
      const target = readTarget(hook.run)
      if (!target.ok) return { failure: 'import', message: target.problem.message }
      const { shown } = target.value
      if (!hook.trusted) return { failure: 'untrusted', message: `${shown} waits for \`holdpoint trust\`` }
      const protocol = PROTOCOLS.find((known) => known === hook.run.protocol) ?? 'claude'
      return (call) => ask(target.value, protocol, call)
    },
  }
}

async function ask(target: Target, protocol: Protocol, call: Call): Promise<Answer | Failure | null> {
  const response = await post({
    url: target.url,
    headers: fillHeaders(target, call.facts.env),
    body: JSON.stringify(spellEvent(call.event, call.actor, protocol, call.facts.now())),
    signal: call.signal,
  })
  const outcome = 'failure' in response ? response : readResponse(response)
  return outcome !== null && 'failure' in outcome
    ? { failure: outcome.failure, message: `${target.shown} ${outcome.message}` }
    : outcome
}

function readResponse({ status, encoding, location, text }: Response): Answer | Failure | null {
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
  if (isObject(value)) return readAnswer(value)
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
