const REASONS: readonly string[] = ['off-topic', 'too heated', 'resolved', 'spam']

/** A reason for locking a conversation in the words of the interface; null for any other. */
export function lockReason(reason: unknown): string | null {
  if (typeof reason !== 'string') return null
  const words = reason.toLowerCase().replaceAll('_', ' ')
  const known = words === 'off topic' ? 'off-topic' : words
  return REASONS.includes(known) ? known : null
}
