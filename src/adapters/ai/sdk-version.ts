import * as sdk from 'ai'

/**
 * Version 5 of the SDK knows no approval: it calls nothing before a tool without `execute` is run by the program. And it
 * asks a tool for the model's text with the output alone, and does not wait for the answer.
 */
export const HAS_APPROVAL = 'ToolLoopAgent' in sdk
