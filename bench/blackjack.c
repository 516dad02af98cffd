/* Down Under Blackjack solved straightforwardly: every hand of the player by recursion, kept by its
   cards; for every hand that stands, the dealer's cards drawn one by one by recursion. In doubles.
   Usage: blackjack DECKS SOFT22STANDS. Prints the value of the bet and the seconds it took. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SLOTS 16384

static int shoe[11], left_, soft22;
static int hand[11], cards, points;

static int dealer_total(int sum, int aces) {
    int most = soft22 ? 22 : 21;
    while (aces > 0 && sum + 10 <= most) { sum += 10; aces--; }
    return sum;
}

/* what a player's total wins against what the dealer ends on, averaged over the dealer's cards */
static double dealer(int sum, int aces, int mine, int large) {
    int total = dealer_total(sum, aces);
    if (total >= 17) {
        if (total == 22) return mine == 21 || large ? 1 : 0;
        if (total > 22 || mine > total) return 1;
        return mine == total ? 0 : -1;
    }
    double value = 0;
    for (int card = 1; card <= 10; card++) {
        if (!shoe[card]) continue;
        double chance = (double)shoe[card] / left_;
        shoe[card]--; left_--;
        value += chance * dealer(sum + card, aces + (card == 1), mine, large);
        shoe[card]++; left_++;
    }
    return value;
}

static int up, low, high;  /* the case: an up card, and the hole card's range */

static int in_range(int card) {
    if (up == 1 && card == 10) return 0;
    if (up == 10 && card == 1) return 0;
    return (card >= low && card <= high) || (low == 10 && card == 1);
}

static int holes(void) {
    int count = 0;
    for (int card = 1; card <= 10; card++) if (in_range(card)) count += shoe[card];
    return count;
}

static int my_total(void) { return hand[1] && points + 10 <= 21 ? points + 10 : points; }

static double stand(int split) {
    int mine = my_total(), all = holes();
    int large = !split && cards == 2 && hand[1] + hand[10] == 2;
    double value = 0;
    for (int hole = 1; hole <= 10; hole++) {
        if (!in_range(hole) || !shoe[hole]) continue;
        double chance = (double)shoe[hole] / all;
        shoe[hole]--; left_--;
        value += chance * dealer(up + hole, (up == 1) + (hole == 1), mine, large);
        shoe[hole]++; left_++;
    }
    return value;
}

static struct { uint64_t key; double best, stand; } kept[SLOTS];

static uint64_t key(void) {
    uint64_t found = 1;
    for (int card = 1; card <= 10; card++) found = found << 5 | (uint64_t)hand[card];
    return found;
}

static int slot(uint64_t wanted) {
    int at = (int)((wanted * 0x9E3779B97F4A7C15u) >> 50);
    while (kept[at].key && kept[at].key != wanted) at = (at + 1) % SLOTS;
    return at;
}

static void take(int card, int by) { hand[card] += by; cards += by; points += by * card; shoe[card] -= by; left_ -= by; }

static double best(int split);

/* standing as it is kept, so that doubling finds it again */
static double standing(int split) { best(split); return kept[slot(key())].stand; }

static double drawing(int split, int doubled) {
    int all = holes();
    double value = 0;
    for (int card = 1; card <= 10; card++) {
        if (!shoe[card]) continue;
        double chance = (double)shoe[card] / (left_ - 1);
        if (in_range(card)) chance *= (double)(all - 1) / all;
        take(card, 1);
        if (points > 21) value += chance * (doubled ? -2 : -1);
        else value += chance * (doubled ? 2 * standing(split) : best(split));
        take(card, -1);
    }
    return value;
}

static double best(int split) {
    uint64_t mine = key();
    int at = slot(mine);
    if (kept[at].key) return kept[at].best;
    double stands = cards > 1 ? stand(split) : -9, found = stands, other;
    int once = split == 1 && cards == 2;
    if (my_total() < 21 && !once) {
        if ((other = drawing(split, 0)) > found) found = other;
        if (cards == 2 && (other = drawing(split, 1)) > found) found = other;
    }
    at = slot(mine);
    kept[at].key = mine; kept[at].best = found; kept[at].stand = stands;
    return found;
}

static double fresh(int split) { memset(kept, 0, sizeof kept); return best(split); }

int main(int argc, char **argv) {
    int decks = argc > 1 ? atoi(argv[1]) : 6;
    soft22 = argc > 2 ? atoi(argv[2]) : 1;
    for (int card = 1; card <= 10; card++) shoe[card] = (card == 10 ? 16 : 4) * decks;
    left_ = 52 * decks;
    clock_t start = clock();
    double all = (double)left_ * (left_ - 1) * (left_ - 2) * (left_ - 3), value = 0;
    static const int lows[] = {2, 6, 10}, highs[] = {5, 9, 10};
    for (up = 1; up <= 10; up++) for (int range = 0; range < 3; range++) {
        low = lows[range]; high = highs[range];
        double ups = shoe[up];
        shoe[up]--; left_--;
        double split[11];
        for (int pair = 1; pair <= 10; pair++) {
            shoe[pair]--; left_--;
            take(pair, 1);
            split[pair] = 2 * fresh(pair);
            take(pair, -1);
            shoe[pair]++; left_++;
        }
        memset(kept, 0, sizeof kept);
        for (int a = 1; a <= 10; a++) for (int b = a; b <= 10; b++) {
            double ways = ups * shoe[a] * (shoe[b] - (a == b)) * (a == b ? 1 : 2);
            take(a, 1); take(b, 1);
            ways *= holes();
            double worth = a == 1 && b == 10 ? 1.5 : best(0);
            if (a == b && split[a] > worth) worth = split[a];
            value += ways * worth;
            take(b, -1); take(a, -1);
        }
        shoe[up]++; left_++;
    }
    /* a dealer's blackjack against anything but a player's */
    double aces = shoe[1], tens = shoe[10], both = 4 * aces * tens * (aces - 1) * (tens - 1);
    value -= 2 * aces * tens * (left_ - 2) * (left_ - 3) - both;
    printf("%.15f %.3f\n", value / all, (double)(clock() - start) / CLOCKS_PER_SEC);
    return 0;
}
