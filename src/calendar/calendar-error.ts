/** A calendar cannot be fetched or read. The message continues “The calendar …”, without a full stop. */
export class CalendarError extends Error {
  override readonly name = 'CalendarError'
}
