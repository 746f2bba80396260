import type { HandlerKind } from '../../core/handler-kind.ts'
import type { HandlerSpec } from '../../core/hook.ts'
import { addressFault, FORBIDDEN_HEADERS, variablesIn } from '../../core/http-address.ts'
import { isObject, type JsonObject, textAt } from '../../core/json.ts'

export const kind: HandlerKind = {
  timeoutMs: 5_000,
  section: 'hooks',
  namesCode: () => true,
  verb: 'calls',
  describe: (run) => [textAt(run, 'url') ?? run.type],
  warns,
  written: {
    description: 'A web address that gets the event in a POST and answers with JSON.',
    keys: {
      url: {
        kind: 'text',
        accepted: 'a web address',
        description:
          'The address: https, or http on this machine. Only a 2xx response with a JSON object is an answer.',
      },
      headers: {
        kind: 'mapping',
        accepted: 'a mapping of headers to texts',
        key: {
          pattern: /^[\w!#$%&'*+.^`|~-]{1,100}$/,
          accepted: 'the name of a header',
          not: {
            words: FORBIDDEN_HEADERS,
            accepted: `a header a hook may set (not ${[...FORBIDDEN_HEADERS].join(', ')})`,
          },
        },
        value: { pattern: /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/, accepted: 'a text on one line' },
        description: 'Headers to send; `$NAME` is a variable listed in `allowedEnvVars`.',
      },
      allowedEnvVars: {
        kind: 'list',
        accepted: 'a list of variable names',
        each: { pattern: /^[A-Za-z_]\w*$/, accepted: 'the name of a variable' },
        description: 'Environment variables that headers may use.',
      },
      insecure: { kind: 'flag', description: 'Allow plain http to another machine.' },
      protocol: {
        kind: 'choice',
        of: ['claude', 'mux', 'massgen'],
        description: 'The format of the event in the request. Default: claude.',
      },
    },
    mistakeIn: ({ url, insecure }) => {
      const fault = addressFault(String(url), insecure === true)
      return fault === undefined
        ? undefined
        : { key: 'url', accepted: `a web address (this one is ${fault})` }
    },
    doubts,
    read: (run) => run,
  },
}

/** A variable that is not listed is sent as an empty text, and the server may reject the request for that reason. */
function doubts({ headers, allowedEnvVars }: JsonObject) {
  const listed = Array.isArray(allowedEnvVars) ? allowedEnvVars : []
  return Object.entries(isObject(headers) ? headers : {}).flatMap(([header, value]) => {
    const unlisted = variablesIn(String(value)).find((name) => !listed.includes(name))
    if (unlisted === undefined) return []
    const message = `\`$${unlisted}\` is not in \`allowedEnvVars\`, so it is sent as an empty text.`
    return [{ path: ['headers', header], message }]
  })
}

function warns({ headers, allowedEnvVars, insecure }: HandlerSpec): readonly string[] {
  const names = isObject(headers) ? Object.keys(headers) : []
  const variables = Array.isArray(allowedEnvVars) ? allowedEnvVars.map(String) : []
  return [
    'sends: the whole event (commands, file contents, prompts)',
    ...(names.length === 0 ? [] : [`headers: ${names.join(', ')}`]),
    ...(variables.length === 0 ? [] : [`from your environment: ${variables.join(', ')}`]),
    ...(insecure === true ? ['over plain http'] : []),
  ]
}
