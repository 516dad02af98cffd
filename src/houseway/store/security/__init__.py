"""What makes a record trustworthy: keys, signatures, anchors, sealed text and the fair-deal proof."""
