package channels

// Messages give times in their owner's time zone, and Lambda has no time zone
// database.
import _ "time/tzdata"
