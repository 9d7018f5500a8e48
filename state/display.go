package state

import "encoding/json"

// DisplayMetadata is how a session wants to be shown.
type DisplayMetadata struct {
	Color string `json:"color,omitempty"`
	// ColorChangedAt is when Color was chosen, as NowColorStamp gives it. ""
	// is older than any stamp.
	ColorChangedAt string `json:"color_changed_at,omitempty"`
	// Extra holds the keys that this version does not know, as they were read.
	Extra map[string]json.RawMessage `json:"-"`
}

// NewDisplayMetadata returns metadata with the given colour, normalized. It
// does not say that anybody chose it: ColorChangedAt is "".
func NewDisplayMetadata(color string) *DisplayMetadata {
	return &DisplayMetadata{Color: NormalizeDisplayColor(color)}
}

func (d *DisplayMetadata) layout() layout {
	return layout{
		members: []member{
			optional(text("color", &d.Color)),
			optional(text("color_changed_at", &d.ColorChangedAt)),
		},
		unknown: (*extraMap)(&d.Extra),
		sorted:  true,
	}
}

// IsZero reports whether there is nothing to write, unknown keys included.
func (d DisplayMetadata) IsZero() bool { return d.layout().isZero() }

// MarshalJSON writes the metadata with its unknown keys.
func (d DisplayMetadata) MarshalJSON() ([]byte, error) { return encode(&d) }

// UnmarshalJSON reads metadata. A value of the wrong kind is kept in Extra.
func (d *DisplayMetadata) UnmarshalJSON(data []byte) error { return decode(data, d) }
