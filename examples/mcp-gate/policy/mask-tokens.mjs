// A result of an MCP tool is an object with a list of contents. The returned `output` replaces it.
export const maskTokens = ({ output }) => ({
  effect: 'pass',
  output: {
    ...output,
    content: output.content.map((part) =>
      part.type === 'text' ? { ...part, text: part.text.replace(/token: \S+/, 'token: [masked]') } : part,
    ),
  },
})
