"""Longer stories than a round: sessions, a floor's day, progressive meters."""
