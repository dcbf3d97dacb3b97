import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server'
import { object, words } from './schemas.ts'

const TOPIC = words('In a few words')
const WHERE = words('owner/name [all repositories]')

/** A question that people ask often: its arguments, and the text that a client gets for it. */
interface Prompt {
  readonly title: string
  readonly description: string
  readonly input: Parameters<typeof object>[0]
  readonly required: readonly string[]
  text(options: Readonly<Record<string, string>>): string
}

const within = (repository: string | undefined): string =>
  repository === undefined ? '' : ` in the repository ${JSON.stringify(repository)}`

const PROMPTS: Readonly<Record<string, Prompt>> = {
  catch_up: {
    title: 'Catch me up on a thread',
    description: 'What a thread is about, what was said, and where it stands',
    input: { repository: words('owner/name'), number: words('The number of the thread') },
    required: ['repository', 'number'],
    text: ({ repository, number }) =>
      `Read thread ${JSON.stringify(number)}${within(repository)} with get_thread, all pages of it. Then tell me in a few paragraphs what it is about, which positions were taken by whom, what was decided, and what is still open. Link each statement to the url of the comment that it rests on.`,
  },
  what_was_decided: {
    title: 'What was decided about …',
    description: 'Decisions on a topic, with the threads in which they were made',
    input: { topic: TOPIC, repository: WHERE },
    required: ['topic'],
    text: ({ topic, repository }) =>
      `Find what was decided about ${JSON.stringify(topic)}${within(repository)}: use search with several wordings, read the threads that fit with get_thread, and tell decisions from proposals. List the decisions by date, each with who made it and its url. Say where threads contradict each other, and what you did not find.`,
  },
  who_knows: {
    title: 'Who knows about …',
    description: 'People who wrote, reviewed or changed most of a topic',
    input: { topic: TOPIC, repository: WHERE },
    required: ['topic'],
    text: ({ topic, repository }) =>
      `Find who knows about ${JSON.stringify(topic)}${within(repository)}: use search for threads, log and blame for files that it concerns, and get_person for those who come up. Name up to five people, with what each of them did and when last, and link it. Say from when the archive is: people may have left since.`,
  },
}

/** Offers questions that people ask often. */
export function registerPrompts(server: McpServer): void {
  for (const [name, prompt] of Object.entries(PROMPTS)) {
    const { title, description, input, required } = prompt
    const argsSchema = fromJsonSchema<Record<string, string>>(object(input, required))
    server.registerPrompt(name, { title, description, argsSchema }, (options) => ({
      messages: [{ role: 'user', content: { type: 'text', text: prompt.text(options) } }],
    }))
  }
}
